import { Button, type ButtonProps, Group } from '@mantine/core';
import type { ReactNode } from 'react';
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
  onChange(items: Item[]): void;
  readonly buttons?: ReactNode;
  children(item: Item, row: ListRowProps<Item>): ReactNode;
}

/** Things that are edited in place, each in a box of its own. */
export function RowList<Item>(props: RowListProps<Item>) {
  const { items, add, size = 'sm', newItem, onChange, buttons, children } = props;
  const rows = useRows(items, onChange);
  return (
    <>
      <ol className={classes['rows']}>
        {items.map((item, place) => (
          <li key={rows.keys[place]} className={classes['row']}>
            {children(item, {
              place,
              count: items.length,
              onChange: (next) => rows.change(place, next),
              onMove: (by) => rows.move(place, by),
              onRemove: () => rows.remove(place),
            })}
          </li>
        ))}
      </ol>
      <Group>
        <Button
          size={size}
          variant="default"
          leftSection={<Icon name="plus" />}
          onClick={() => onChange([...items, newItem])}
        >
          {add}
        </Button>
        {buttons}
      </Group>
    </>
  );
}
