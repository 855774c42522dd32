import type { KeyboardEvent } from 'react';
import { findParentIndex, type TreeRow } from './rows.ts';

/** Keys of one tree, such as `m`, `Delete`, `Alt+ArrowUp`, `mod+a`. No row has the focus in an empty tree. */
export type OwnKeys<Row extends TreeRow> = Readonly<Record<string, (row: Row | undefined) => void>>;

/** What the keys of a tree work on. */
export interface KeyActions<Row extends TreeRow> {
  readonly rows: readonly Row[];
  readonly focusedIndex: number;
  readonly own: OwnKeys<Row>;
  focusRow(index: number): void;
  /** Chooses the focused row and the one at an index too, which gets the focus. */
  chooseMore(index: number): void;
  wordsOf(row: Row): string;
  onToggle(row: Row, isOpen: boolean): void;
  onEnter(row: Row): void;
  openMenu(row: Row): void;
  lift(row: Row): void;
}

/** Rows of a step by page. */
const pageRows = 15;

/** Keys of a tree, after the pattern of ARIA. */
export function treeKeys<Row extends TreeRow>(event: KeyboardEvent, actions: KeyActions<Row>): void {
  const { rows, focusedIndex, own } = actions;
  const row = rows[focusedIndex];
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isMod = event.ctrlKey || event.metaKey;
  const act = own[`${isMod ? 'mod+' : ''}${event.altKey ? 'Alt+' : ''}${key}`];
  const to = indexOfStep(key, focusedIndex, rows.length - 1);
  if (act !== undefined) act(row);
  else if (isMod || event.altKey || row === undefined) return;
  else if (to !== undefined) {
    if (event.shiftKey && key.startsWith('Arrow')) actions.chooseMore(to);
    else actions.focusRow(to);
  } else if (key === 'ArrowRight') goIn(actions, row);
  else if (key === 'ArrowLeft') goOut(actions, row);
  else if (key === 'Enter') actions.onEnter(row);
  else if (key === 'm') actions.lift(row);
  else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) {
    actions.openMenu(row);
    // A menu closes at keys outside of it, so at this one.
    event.stopPropagation();
  } else if (!focusByLetter(actions, key)) return;
  event.preventDefault();
}

/** Where a key leads up or down. */
function indexOfStep(key: string, from: number, last: number): number | undefined {
  const to = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    Home: 0,
    End: last,
    PageDown: Math.min(last, from + pageRows),
    PageUp: Math.max(0, from - pageRows),
  };
  return Object.entries(to).find(([name]) => name === key)?.[1];
}

function goIn<Row extends TreeRow>({ focusRow, focusedIndex, onToggle }: KeyActions<Row>, row: Row): void {
  if (row.hasChildren && row.isOpen) focusRow(focusedIndex + 1);
  else if (row.hasChildren) onToggle(row, true);
}

function goOut<Row extends TreeRow>(actions: KeyActions<Row>, row: Row): void {
  if (row.isOpen) actions.onToggle(row, false);
  else actions.focusRow(findParentIndex(actions.rows, actions.focusedIndex));
}

/** A letter leads to the next row whose words begin with it. True if there is one. */
function focusByLetter<Row extends TreeRow>(
  { rows, focusedIndex, wordsOf, focusRow }: KeyActions<Row>,
  letter: string,
): boolean {
  if (letter.length !== 1 || letter === ' ') return false;
  const isHit = (row: Row) => wordsOf(row).toLowerCase().startsWith(letter);
  const after = rows.findIndex((row, index) => index > focusedIndex && isHit(row));
  const index = after >= 0 ? after : rows.slice(0, focusedIndex).findIndex(isHit);
  if (index >= 0) focusRow(index);
  return index >= 0;
}
