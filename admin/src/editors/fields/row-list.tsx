import {
  closestCenter,
  DndContext,
  MouseSensor,
  TouchSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { Button, type ButtonProps, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { activation, silent } from '../../kit/tree/drag-settings.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { useRows } from '../../ui/rows/use-rows.ts';
import classes from './row-list.module.css';
import type { RowToolsProps } from './row-tools.tsx';

export interface ListRowProps<Item> extends Omit<RowToolsProps, 'title' | 'size'> {
  onChange(item: Item): void;
}

export interface RowListProps<Item> {
  readonly items: readonly Item[];
  /** Name of the button that adds a row. */
  readonly add: string;
  readonly size?: ButtonProps['size'];
  readonly newItem: Item;
  /** No row can be added. */
  readonly isFull?: boolean;
  onChange(items: Item[]): void;
  readonly buttons?: ReactNode;
  children(item: Item, row: ListRowProps<Item>): ReactNode;
}

/** Things that are edited in place, each in a box of its own. They are moved by buttons, or by their handle. */
export function RowList<Item>(props: RowListProps<Item>) {
  const { items, add, size = 'sm', newItem, isFull = false, onChange, buttons, children } = props;
  const rows = useRows(items, onChange);
  const sensors = useSensors(
    useSensor(MouseSensor, activation.mouse),
    useSensor(TouchSensor, activation.touch),
  );
  return (
    <>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={silent}
        onDragEnd={({ active, over }) => {
          const from = Number(active.data.current?.['place']);
          const to = Number(over?.data.current?.['place'] ?? from);
          if (from !== to) rows.move(from, to - from);
        }}
      >
        <ol className={classes['rows']}>
          {items.map((item, place) => (
            <Row key={rows.keys[place]} id={`row-${rows.keys[place]}`} place={place} count={items.length}>
              {children(item, {
                place,
                count: items.length,
                onChange: (next) => rows.change(place, next),
                onMove: (by) => rows.move(place, by),
                onRemove: () => rows.remove(place),
              })}
            </Row>
          ))}
        </ol>
      </DndContext>
      <Group>
        <Button
          size={size}
          variant="default"
          leftSection={<Icon name="plus" />}
          disabled={isFull}
          onClick={() => onChange([...items, newItem])}
        >
          {add}
        </Button>
        {buttons}
      </Group>
    </>
  );
}

interface RowProps {
  readonly id: string;
  readonly place: number;
  readonly count: number;
  readonly children: ReactNode;
}

/** A row with its handle for the pointer; those who use keys have the buttons of the row. */
function Row({ id, place, count, children }: RowProps) {
  const data = { place };
  const { setNodeRef, listeners, transform, isDragging } = useDraggable({ id, data });
  const { setNodeRef: setPlaceRef, isOver, active } = useDroppable({ id, data });
  const from = Number(active?.data.current?.['place']);
  const drop = isOver && from !== place ? (from < place ? 'after' : 'before') : undefined;
  return (
    <li ref={setPlaceRef} className={classes['place']} data-drop={drop}>
      <div
        ref={setNodeRef}
        className={classes['row']}
        data-dragged={isDragging || undefined}
        style={transform === null ? undefined : { transform: `translateY(${transform.y}px)` }}
      >
        {count > 1 && (
          <span className={classes['handle']} aria-hidden {...listeners}>
            <Icon name="dots-six-vertical" />
          </span>
        )}
        {children}
      </div>
    </li>
  );
}
