import type { KeyboardEvent } from 'react';
import { runCommand } from '../../../commands/run.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { deletePages, moveCommand, newPageBelow } from '../commands/page-commands.ts';
import { placeOf, type TreeIndex, type TreeRow } from '../model/tree-model.ts';

/** What the keys of the tree work on. */
export interface TreeActions {
  readonly tree: TreeIndex<PageTreeEntry>;
  readonly rows: readonly TreeRow<PageTreeEntry>[];
  readonly focusedIndex: number;
  readonly selected: ReadonlySet<number>;
  focusRow(index: number): void;
  setOpen(ids: readonly number[], isOpen: boolean): void;
  onSelect(ids: ReadonlySet<number>): void;
  onOpenPage(page: PageTreeEntry): void;
  openMenu(row: TreeRow<PageTreeEntry>): void;
}

/** Keys of the tree, after the pattern of ARIA for trees. */
export function treeKeys(
  event: KeyboardEvent,
  actions: TreeActions,
  startMove: (page: PageTreeEntry) => void,
): void {
  const row = actions.rows[actions.focusedIndex];
  if (row === undefined || event.ctrlKey || event.metaKey) {
    if (row !== undefined && event.key.toLowerCase() === 'a') {
      actions.onSelect(new Set(actions.rows.slice(1).map(({ page }) => page.id)));
      event.preventDefault();
    }
    return;
  }
  const act = event.altKey
    ? altKeys[event.key]
    : (keys[event.key] ?? (event.key.length === 1 ? letters : undefined));
  if (act === undefined) return;
  event.preventDefault();
  act(actions, row, event, startMove);
}

type Act = (
  actions: TreeActions,
  row: TreeRow<PageTreeEntry>,
  event: KeyboardEvent,
  startMove: (page: PageTreeEntry) => void,
) => void;

const keys: Readonly<Record<string, Act>> = {
  ArrowDown: (actions, row, event) => step(actions, row, event, 1),
  ArrowUp: (actions, row, event) => step(actions, row, event, -1),
  Home: (actions) => actions.focusRow(0),
  End: (actions) => actions.focusRow(actions.rows.length - 1),
  PageDown: (actions) => actions.focusRow(Math.min(actions.rows.length - 1, actions.focusedIndex + 15)),
  PageUp: (actions) => actions.focusRow(Math.max(0, actions.focusedIndex - 15)),
  ArrowRight: (actions, row) => {
    if (row.hasChildren && !row.isOpen) actions.setOpen([row.page.id], true);
    else if (row.hasChildren) actions.focusRow(actions.focusedIndex + 1);
  },
  ArrowLeft: (actions, row) => {
    if (row.isOpen) actions.setOpen([row.page.id], false);
    else actions.focusRow(actions.rows.findIndex(({ page }) => page.id === row.page.parent_id));
  },
  Enter: (actions, row) => actions.onOpenPage(row.page),
  ' ': (actions, row) => actions.onSelect(toggle(actions.selected, row.page.id)),
  Escape: (actions) => actions.onSelect(new Set()),
  Delete: (actions, row) => {
    const chosen = actions.rows.map(({ page }) => page).filter(({ id }) => actions.selected.has(id));
    void runCommand(deletePages(chosen.length > 0 ? chosen : [row.page]));
  },
  ContextMenu: (actions, row) => actions.openMenu(row),
  F10: (actions, row, event) => {
    if (event.shiftKey) actions.openMenu(row);
  },
};

const altKeys: Readonly<Record<string, Act>> = {
  ArrowUp: (actions, row) => moveAmongSiblings(actions, row.page, -1),
  ArrowDown: (actions, row) => moveAmongSiblings(actions, row.page, 1),
};

/** `M` and `N` are commands; every other letter looks for the next title that begins with it. */
const letters: Act = (actions, row, event, startMove) => {
  const letter = event.key.toLowerCase();
  if (letter === 'm') startMove(row.page);
  else if (letter === 'n') void runCommand(newPageBelow(row.page));
  else {
    const { rows, focusedIndex } = actions;
    const after = [...rows.keys()].slice(focusedIndex + 1).concat([...rows.keys()].slice(0, focusedIndex));
    const found = after.find((index) => rows[index]?.page.title.toLowerCase().startsWith(letter));
    if (found !== undefined) actions.focusRow(found);
  }
};

function step(actions: TreeActions, row: TreeRow<PageTreeEntry>, event: KeyboardEvent, by: 1 | -1): void {
  const next = actions.rows[actions.focusedIndex + by];
  if (next === undefined) return;
  if (event.shiftKey) actions.onSelect(new Set([...actions.selected, row.page.id, next.page.id]));
  actions.focusRow(actions.focusedIndex + by);
}

function moveAmongSiblings({ tree }: TreeActions, page: PageTreeEntry, by: 1 | -1): void {
  const { parentId, index } = placeOf(tree, page);
  const siblings = tree.children.get(parentId) ?? [];
  if (page.parent_id === null || index + by < 0 || index + by >= siblings.length) return;
  void runCommand(moveCommand(tree, page, { parentId, index: index + by }));
}

function toggle(selected: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}
