import { DndContext, DragOverlay } from '@dnd-kit/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type MouseEvent,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { PageDrop } from '../canvas/carry.ts';
import { labelOf } from '../model/labels.ts';
import { innerKey, type OutlineRow, outlineRows } from '../model/outline.ts';
import { findBlock, isReference, type List, pathTo } from '../model/tree.ts';
import type { BlockCommands } from '../state/commands.ts';
import { type BlockEditing, useEditing } from '../state/editing.ts';
import { useOutlineMove } from './move.ts';
import classes from './outline.module.css';
import { type OutlineActions, outlineKeys } from './outline-keys.ts';
import { levelWidth, OutlineRowView } from './outline-row.tsx';
import { rowsWithout } from './places.ts';

/** What other parts of the editor ask of the outline. */
export interface OutlineControl {
  focus(): void;
  /** Starts a move by keys. */
  startMove(): void;
}

export interface OutlineProps {
  readonly editing: BlockEditing;
  readonly commands: BlockCommands;
  readonly control: Ref<OutlineControl>;
  /** The page beside it, into which blocks can be dragged; null if it is not on the screen. */
  readonly page: RefObject<PageDrop | null>;
  /** ID of a block that the server has refused. */
  readonly faulty: string | undefined;
  onAdd(list: List): void;
  /** Goes to the fields of the chosen block. */
  onEnter(): void;
  onMenu(at: { readonly x: number; readonly y: number }): void;
}

const rowHeight = matchMedia('(pointer: coarse)').matches ? 44 : 32;

/** The tree of blocks as rows, of which only those on the screen exist. */
export function Outline({ editing, commands, control, page, faulty, onAdd, onEnter, onMenu }: OutlineProps) {
  const { t } = useTranslation();
  const tree = useEditing(editing, () => editing.tree);
  const facts = useEditing(editing, () => editing.facts);
  const closed = useEditing(editing, () => editing.closed);
  const selection = useEditing(editing, () => editing.selection);
  const allRows = useMemo(() => outlineRows(facts, tree, closed), [facts, tree, closed]);
  const [focusedSlot, setFocusedSlot] = useState<string>();
  const treeId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const mover = useOutlineMove({ editing, page, rows: allRows, scroller, rowHeight, levelWidth });
  const { move } = mover;
  const rows = useMemo(
    () => (move === undefined ? allRows : rowsWithout(tree, allRows, move.moved)),
    [tree, allRows, move],
  );
  const chosenKeys = useMemo(() => keysOf(selection), [selection]);
  const last = chosenKeys.at(-1);
  const focusedKey = focusedSlot ?? last;
  const focusedIndex = Math.max(
    0,
    rows.findIndex(({ key }) => key === focusedKey),
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });

  const now = useRef({ selection, tree, facts, virtual });
  now.current = { selection, tree, facts, virtual };
  // What is chosen elsewhere is always to be seen here. Only another choice scrolls.
  useEffect(() => {
    const { selection, tree, facts, virtual } = now.current;
    setFocusedSlot(undefined);
    const id = selection.ids.at(-1);
    if (id === undefined) return;
    for (const block of pathTo(tree, id).slice(0, -1)) {
      if (editing.closed.has(block.id)) editing.setClosed(block.id, false);
      const slotKeys = isReference(block) ? [] : Object.keys(block.slots ?? {});
      for (const slot of slotKeys)
        if (editing.closed.has(`${block.id}/${slot}`)) editing.setClosed(`${block.id}/${slot}`, false);
    }
    if (selection.inner !== undefined) editing.setClosed(`${id}!`, true);
    const index = outlineRows(facts, tree, editing.closed).findIndex(({ key }) => key === last);
    if (index >= 0) virtual.scrollToIndex(index);
  }, [last, editing]);

  useImperativeHandle(control, () => ({
    focus: () => scroller.current?.focus({ preventScroll: true }),
    startMove: () => {
      scroller.current?.focus({ preventScroll: true });
      mover.startByKeys();
    },
  }));

  const choose = (
    row: OutlineRow,
    index: number,
    event: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>,
  ) => {
    if (row.kind === 'slot') {
      setFocusedSlot(row.key);
      if (row.count === 0) onAdd(row.list);
      return;
    }
    setFocusedSlot(undefined);
    const { ids } = selection;
    if (row.reference !== undefined) editing.select({ ids: [row.reference], inner: row.block.id });
    else if (event.ctrlKey || event.metaKey)
      editing.select({
        ids: ids.includes(row.block.id) ? ids.filter((id) => id !== row.block.id) : [...ids, row.block.id],
      });
    else if (event.shiftKey) editing.select({ ids: idsBetween(rows, focusedIndex, index) });
    else editing.select({ ids: [row.block.id] });
  };
  const latest = useRef({ choose, onMenu });
  latest.current = { choose, onMenu };
  // Always the same functions, so that scrolling draws only the rows that come in.
  const stableChoose = useCallback<typeof choose>((...args) => latest.current.choose(...args), []);
  const toggle = useCallback((row: OutlineRow) => setOpen(editing, row, !row.isOpen), [editing]);
  const menu = useCallback(
    (row: OutlineRow, at: { readonly x: number; readonly y: number }) => {
      if (row.kind !== 'block' || row.reference !== undefined) return;
      if (!editing.selection.ids.includes(row.block.id)) editing.select({ ids: [row.block.id] });
      latest.current.onMenu(at);
    },
    [editing],
  );

  const actions: OutlineActions = {
    rows,
    focusedIndex,
    commands,
    focusRow: (index, isMore = false) => {
      const row = rows[index];
      if (row === undefined) return;
      virtual.scrollToIndex(index);
      if (row.kind === 'slot') setFocusedSlot(row.key);
      else {
        const ids = new Set([...selection.ids, ...(row.reference === undefined ? [row.block.id] : [])]);
        setFocusedSlot(undefined);
        if (isMore) editing.select({ ids: [...ids] });
        else choose(row, index, { shiftKey: false, ctrlKey: false, metaKey: false });
      }
    },
    setOpen: (row, isOpen) => setOpen(editing, row, isOpen),
    enter: (row) => (row.kind === 'slot' ? onAdd(row.list) : onEnter()),
    startMove: mover.startByKeys,
    toPanel: onEnter,
    openMenu: (row) => {
      const box = document.getElementById(`${treeId}-${row.key}`)?.getBoundingClientRect();
      menu(row, { x: (box?.left ?? 0) + 80, y: box?.bottom ?? 0 });
    },
  };
  const items = virtual.getVirtualItems();
  const isFocusedMounted = items.some(({ index }) => index === focusedIndex) && rows.length > 0;
  return (
    <DndContext {...mover.context}>
      <div
        ref={scroller}
        className={classes['scroller']}
        role="tree"
        tabIndex={0}
        aria-label={t('blocks.outline')}
        aria-multiselectable="true"
        aria-activedescendant={isFocusedMounted ? `${treeId}-${rows[focusedIndex]?.key}` : undefined}
        onKeyDown={(event) => {
          if (!mover.onKeyDown(event)) outlineKeys(event, actions);
        }}
        onBlur={mover.cancel}
      >
        <div role="presentation" className={classes['rows']} style={{ height: rows.length * rowHeight }}>
          {items.map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <OutlineRowView
                key={row.key}
                id={`${treeId}-${row.key}`}
                row={row}
                facts={facts}
                top={start}
                index={index}
                isFocused={index === focusedIndex}
                isChosen={chosenKeys.includes(row.key)}
                isFaulty={row.kind === 'block' && row.key === faulty}
                onToggle={toggle}
                onChoose={stableChoose}
                onMenu={menu}
              />
            );
          })}
          {move?.target !== undefined && (
            <div
              className={classes['drop']}
              style={{
                top: move.target.gap * rowHeight - 1,
                insetInlineStart: 28 + (move.target.level - 1) * levelWidth,
              }}
            />
          )}
        </div>
      </div>
      <DragOverlay dropAnimation={null}>
        {move !== undefined && <div className={classes['overlay']}>{movedName(editing, move.moved)}</div>}
      </DragOverlay>
    </DndContext>
  );
}

function keysOf({ ids, inner }: BlockEditing['selection']): readonly string[] {
  const [id] = ids;
  return inner === undefined || id === undefined ? ids : [innerKey(id, inner)];
}

/** Global blocks are closed unless they were opened; all other rows are open unless they were closed. */
function setOpen(editing: BlockEditing, row: OutlineRow, isOpen: boolean): void {
  if (row.kind === 'block' && isReference(row.block)) editing.setClosed(`${row.key}!`, isOpen);
  else editing.setClosed(row.key, !isOpen);
}

function idsBetween(rows: readonly OutlineRow[], from: number, to: number): readonly string[] {
  return rows
    .slice(Math.min(from, to), Math.max(from, to) + 1)
    .flatMap((row) => (row.kind === 'block' && row.reference === undefined ? [row.block.id] : []));
}

function movedName({ tree, facts }: BlockEditing, moved: ReadonlySet<string>): string {
  const [id = ''] = moved;
  const block = findBlock(tree, id);
  if (block === undefined) return '';
  const { content, type } = labelOf(facts, block);
  return content || type;
}
