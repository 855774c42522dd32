import { DndContext, DragOverlay } from '@dnd-kit/core';
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useCallback, useEffect, useId, useImperativeHandle, useRef } from 'react';
import { DragSurface } from './drag-surface.tsx';
import { type KeyActions, type OwnKeys, treeKeys } from './keys.ts';
import { type Levels, type Point, type TreeMove, useTreeMove } from './move.ts';
import type { Place, TreeRow } from './rows.ts';
import { type Choice, surfaceEvents } from './surface.ts';
import classes from './tree.module.css';
import { MenuButton, TreeRowView, type TreeRowViewProps } from './tree-row.tsx';

/** What other parts of a screen ask of a tree. */
export interface TreeControl {
  focus(): void;
  /** Starts a move by keys. */
  lift(): void;
}

export interface TreeProps<Row extends TreeRow, At extends Place> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly levels: Levels;
  /** Key of the row that the keys are on. */
  readonly focused: string | undefined;
  readonly chosen: ReadonlySet<string>;
  /** Key of the row of what the screen shows. */
  readonly current?: string | undefined;
  /** Key of a row that comes into view when it changes, as soon as there is such a row. */
  readonly revealed: string | undefined;
  /** Selector of the part of a row that is clicked and dragged; default: all of it. */
  readonly grip?: string;
  readonly className?: string | undefined;
  readonly keys: OwnKeys<Row>;
  readonly move: TreeMove<Row, At>;
  readonly control?: Ref<TreeControl>;
  /** What a letter is compared with. */
  wordsOf(row: Row): string;
  onFocus(row: Row): void;
  /** @param at the row that was clicked or reached */
  onChoose(rows: readonly Row[], choice: Choice, at: Row): void;
  onToggle(row: Row, isOpen: boolean): void;
  onEnter(row: Row): void;
  onMenu(row: Row, at: Point): void;
  /** Name of the button that opens the menu of a row; undefined if it has none. */
  menuLabel(row: Row): string | undefined;
  /** Without hooks. Always the same function as long as rows look the same, so that scrolling draws new rows only. */
  draw(row: Row): ReactNode;
}

/** Height of a row in pixels; a finger needs more than a pointer. */
const rowHeight = matchMedia('(pointer: coarse)').matches ? 44 : 32;

/** A tree of virtual rows, so that 20,000 scroll like 20. It has the focus, and names the row that the keys are on. */
export function Tree<Row extends TreeRow, At extends Place>(props: TreeProps<Row, At>) {
  const { levels, move, onToggle } = props;
  const treeId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const mover = useTreeMove({ move, rows: props.rows, scroller, rowHeight, levels, onToggle });
  const { gesture, rest: rows } = mover;
  const focusedIndex = Math.max(0, indexOfKey(rows, props.focused));
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  useReveal(props.revealed, rows, (index) => virtual.scrollToIndex(index));
  useImperativeHandle(props.control, () => ({
    focus: () => scroller.current?.focus({ preventScroll: true }),
    lift: () => {
      scroller.current?.focus({ preventScroll: true });
      mover.liftByKeys(rows[focusedIndex]);
    },
  }));

  const drawAt = useDrawing(rows, props);
  const pressed = useRef<Row>(undefined);
  const surface = surfaceEvents({ ...props, rows, focusedIndex, pressed });
  const keyActions = createKeyActions<Row, At>(props, {
    treeId,
    rows,
    focusedIndex,
    scrollTo: virtual.scrollToIndex,
    lift: mover.liftByKeys,
  });
  const items = virtual.getVirtualItems();
  const focusedRow = items.some(({ index }) => index === focusedIndex) ? rows[focusedIndex] : undefined;
  const place = gesture?.place;
  return (
    <DndContext {...mover.context} onDragStart={() => mover.onDragStart(pressed.current)}>
      <div
        ref={scroller}
        className={`${classes['scroller']} ${props.className ?? ''}`}
        role="tree"
        tabIndex={0}
        aria-label={props.label}
        aria-multiselectable="true"
        aria-activedescendant={focusedRow && `${treeId}-${focusedRow.key}`}
        onKeyDown={(event) => {
          if (!mover.onKeyDown(event)) treeKeys(event, keyActions);
        }}
        onBlur={mover.cancelKeys}
      >
        <DragSurface
          id={treeId}
          className={classes['rows']}
          style={{ height: rows.length * rowHeight }}
          {...surface}
        >
          <Rows {...props} {...{ treeId, rows, items, focusedIndex, place, drawAt }} />
          {place !== undefined && <DropLine place={place} levels={levels} />}
        </DragSurface>
      </div>
      <div className="visually-hidden" aria-live="assertive">
        {mover.announcement}
      </div>
      <DragOverlay dropAnimation={null}>
        {gesture?.isDragged && <div className={classes['overlay']}>{move.words.name(gesture.lifted)}</div>}
      </DragOverlay>
    </DndContext>
  );
}

interface TreeState<Row extends TreeRow> extends Pick<KeyActions<Row>, 'rows' | 'focusedIndex' | 'lift'> {
  readonly treeId: string;
  scrollTo(index: number): void;
}

/** What the keys do with the rows as they are now. */
function createKeyActions<Row extends TreeRow, At extends Place>(
  { keys, wordsOf, onFocus, onChoose, onToggle, onEnter, onMenu }: TreeProps<Row, At>,
  { treeId, rows, focusedIndex, scrollTo, lift }: TreeState<Row>,
): KeyActions<Row> {
  const moveFocus = (index: number, use: (row: Row) => void) => {
    const row = rows[index];
    if (row === undefined) return;
    scrollTo(index);
    use(row);
  };
  const chosen = rows.slice(focusedIndex, focusedIndex + 1);
  return {
    ...{ rows, focusedIndex, own: keys, wordsOf, onToggle, onEnter, lift },
    focusRow: (index) => moveFocus(index, onFocus),
    chooseMore: (index) => moveFocus(index, (row) => onChoose(chosen.concat(row), 'more', row)),
    openMenu: (row) => {
      const box = document.getElementById(`${treeId}-${row.key}`)?.getBoundingClientRect();
      onMenu(row, { x: (box?.left ?? 0) + 100, y: box?.bottom ?? 0 });
    },
  };
}

interface RowsProps<Row extends TreeRow>
  extends Pick<TreeProps<Row, Place>, 'chosen' | 'current' | 'levels'>,
    Pick<TreeState<Row>, 'treeId' | 'rows' | 'focusedIndex'>,
    Pick<TreeRowViewProps, 'drawAt'> {
  readonly items: readonly VirtualItem[];
  readonly place: Place | undefined;
}

/** The rows on the screen. */
function Rows<Row extends TreeRow>(props: RowsProps<Row>) {
  const { treeId, rows, items, focusedIndex, chosen, current, levels, place, drawAt } = props;
  return items.map(({ index, start }) => {
    const row = rows[index];
    if (row === undefined) return null;
    return (
      <TreeRowView
        key={row.key}
        id={`${treeId}-${row.key}`}
        row={row}
        index={index}
        top={start}
        levelWidth={levels.width}
        isFocused={index === focusedIndex}
        isChosen={chosen.has(row.key)}
        isCurrent={row.key === current}
        isTarget={row.key === place?.parent}
        drawAt={drawAt}
      />
    );
  });
}

/** The line where something would go. */
function DropLine({ place: { gap, level }, levels }: { readonly place: Place; readonly levels: Levels }) {
  const start = levels.start + (level - 1) * levels.width;
  return <div className={classes['drop']} style={{ top: gap * rowHeight - 1, insetInlineStart: start }} />;
}

/** What a row shows, by its place. Another function only when rows look otherwise. */
function useDrawing<Row extends TreeRow>(
  rows: readonly Row[],
  { draw, menuLabel }: Pick<TreeProps<Row, Place>, 'draw' | 'menuLabel'>,
): (index: number) => ReactNode {
  return useCallback(
    (index) => {
      const row = rows[index];
      if (row === undefined) return null;
      const label = menuLabel(row);
      return (
        <>
          {draw(row)}
          {label !== undefined && <MenuButton label={label} />}
        </>
      );
    },
    [rows, draw, menuLabel],
  );
}

function indexOfKey(rows: readonly TreeRow[], key: string | undefined): number {
  return key === undefined ? -1 : rows.findIndex((row) => row.key === key);
}

/** Brings a row into view once, as soon as it is there. */
function useReveal(
  key: string | undefined,
  rows: readonly TreeRow[],
  scrollTo: (index: number) => void,
): void {
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (key === shown.current) return;
    const index = indexOfKey(rows, key);
    if (key !== undefined && index < 0) return;
    shown.current = key;
    if (index >= 0) scrollTo(index);
  });
}
