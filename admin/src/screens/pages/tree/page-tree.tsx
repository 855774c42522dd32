import { DndContext, DragOverlay } from '@dnd-kit/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRowText } from '../../../base/i18n/row-text.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { ancestorsOf, subtreeOf, type TreeIndex, type TreeRow, visibleRows } from '../model/tree-model.ts';
import { useTreeDrag } from './drag.ts';
import { DragSurface } from './drag-surface.tsx';
import { useMoveMode } from './move-mode.ts';
import classes from './page-tree.module.css';
import { rowId } from './row-id.ts';
import { type TreeActions, treeKeys } from './tree-keys.ts';
import { TreeRowView } from './tree-row.tsx';

export interface PageTreeProps {
  readonly tree: TreeIndex<PageTreeEntry>;
  readonly open: ReadonlySet<number>;
  setOpen(ids: readonly number[], isOpen: boolean): void;
  readonly matches: ((page: PageTreeEntry) => boolean) | undefined;
  /** The page in the editor. */
  readonly current: number | undefined;
  readonly selected: ReadonlySet<number>;
  onSelect(ids: ReadonlySet<number>): void;
  readonly unsaved: ReadonlySet<number>;
  onOpenPage(page: PageTreeEntry): void;
  onMenu(page: PageTreeEntry, at: { readonly x: number; readonly y: number }): void;
}

/** Height of a row in pixels; a finger needs more than a pointer. */
const rowHeight = matchMedia('(pointer: coarse)').matches ? 44 : 32;

/** The tree of a website: virtual rows, so that 20,000 pages scroll like 20. */
export function PageTree(props: PageTreeProps) {
  const { tree, open, setOpen, matches, current, selected, onSelect, unsaved, onOpenPage, onMenu } = props;
  const { t } = useTranslation();
  const rowText = useRowText();
  const [focused, setFocused] = useState(current ?? tree.home?.id ?? 0);
  const treeId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const move = useMoveMode(tree);
  const allRows = useMemo(() => visibleRows(tree, open, matches), [tree, open, matches]);
  const drag = useTreeDrag({ tree, rows: allRows, scroller, rowHeight, setOpen });
  const moving = drag.moving ?? move.moving;
  const rows = useMemo(() => rowsWithout(tree, allRows, moving?.page.id), [tree, allRows, moving?.page.id]);
  const target = moving?.target;

  const focusedIndex = Math.max(
    0,
    rows.findIndex(({ page }) => page.id === focused),
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const focusRow = useCallback(
    (index: number) => {
      const row = rows[index];
      if (row === undefined) return;
      setFocused(row.page.id);
      virtual.scrollToIndex(index);
    },
    [rows, virtual],
  );

  // The page in the editor is always to be seen in the tree.
  const shownFor = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (current === undefined || shownFor.current === current || tree.byId.get(current) === undefined) return;
    const closed = ancestorsOf(tree, current).filter((id) => !open.has(id));
    if (closed.length > 0) {
      setOpen(closed, true);
      return;
    }
    shownFor.current = current;
    setFocused(current);
    const index = rows.findIndex(({ page }) => page.id === current);
    if (index >= 0) virtual.scrollToIndex(index);
  }, [current, tree, open, setOpen, rows, virtual]);

  const choose = (page: PageTreeEntry, index: number, event: MouseEvent) => {
    setFocused(page.id);
    if (event.ctrlKey || event.metaKey) onSelect(toggled(selected, page.id));
    else if (event.shiftKey) onSelect(between(rows, focusedIndex, index));
    else {
      onSelect(new Set());
      onOpenPage(page);
    }
  };
  const latestChoose = useRef(choose);
  latestChoose.current = choose;
  // Always the same function, so that scrolling draws only the rows that come in.
  const stableChoose = useCallback<typeof choose>((...args) => latestChoose.current(...args), []);

  const actions: TreeActions = {
    rows,
    focusedIndex,
    selected,
    focusRow,
    setOpen,
    onSelect,
    onOpenPage,
    openMenu: (row) => {
      const element = document.getElementById(rowId(treeId, row.page.id))?.getBoundingClientRect();
      onMenu(row.page, { x: (element?.left ?? 0) + 120, y: element?.bottom ?? 0 });
    },
    tree,
  };
  const focusedRow = items.some(({ index }) => index === focusedIndex) ? rows[focusedIndex] : undefined;
  return (
    <DndContext {...drag.context}>
      <div
        ref={scroller}
        className={classes['scroller']}
        role="tree"
        tabIndex={0}
        aria-label={t('tree.label')}
        aria-multiselectable="true"
        aria-activedescendant={focusedRow === undefined ? undefined : rowId(treeId, focusedRow.page.id)}
        onKeyDown={(event) => {
          if (move.onKeyDown(event, rows, allRows)) return;
          treeKeys(event, actions, move.start);
        }}
        onBlur={move.cancel}
      >
        <DragSurface
          treeId={treeId}
          className={classes['rows']}
          style={{ height: rows.length * rowHeight }}
          onGrab={drag.grab}
        >
          {items.map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <TreeRowView
                key={row.page.id}
                id={rowId(treeId, row.page.id)}
                text={rowText}
                row={row}
                top={start}
                isFocused={index === focusedIndex}
                isCurrent={row.page.id === current}
                isSelected={selected.has(row.page.id)}
                isUnsaved={unsaved.has(row.page.id)}
                isTarget={target?.parentId === row.page.id}
                onToggle={setOpen}
                index={index}
                onChoose={stableChoose}
                onMenu={onMenu}
              />
            );
          })}
          {target !== undefined && (
            <div
              className={classes['drop']}
              style={{ top: target.gap * rowHeight - 1, insetInlineStart: 12 + (target.level - 1) * 18 }}
            />
          )}
        </DragSurface>
      </div>
      <div className="visually-hidden" aria-live="assertive">
        {move.announcement || drag.announcement}
      </div>
      <DragOverlay dropAnimation={null}>
        {drag.moving !== undefined && <div className={classes['overlay']}>{drag.moving.page.title}</div>}
      </DragOverlay>
    </DndContext>
  );
}

/** The rows without a page that is being moved and the pages below it. */
function rowsWithout(
  tree: TreeIndex<PageTreeEntry>,
  rows: readonly TreeRow<PageTreeEntry>[],
  movedId: number | undefined,
): readonly TreeRow<PageTreeEntry>[] {
  if (movedId === undefined) return rows;
  const moved = subtreeOf(tree, movedId);
  return rows.filter(({ page }) => !moved.has(page.id));
}

function toggled(selected: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

function between(rows: readonly TreeRow<PageTreeEntry>[], from: number, to: number): ReadonlySet<number> {
  return new Set(rows.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ page }) => page.id));
}
