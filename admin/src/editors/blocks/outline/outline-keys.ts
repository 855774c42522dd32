import type { KeyboardEvent } from 'react';
import { runCommand } from '../../../commands/run.ts';
import type { OutlineRow } from '../model/outline.ts';
import type { BlockCommands } from '../state/commands.ts';

/** What the keys of the outline work on. */
export interface OutlineActions {
  readonly rows: readonly OutlineRow[];
  readonly focusedIndex: number;
  readonly commands: BlockCommands;
  /** Puts the focus on a row, which chooses its block. @param isMore chooses it besides the others */
  focusRow(index: number, isMore?: boolean): void;
  setOpen(row: OutlineRow, isOpen: boolean): void;
  /** Enter: edits the block, or adds one to the slot. */
  enter(row: OutlineRow): void;
  startMove(): void;
  /** Goes to the fields of the chosen block. */
  toPanel(): void;
  openMenu(row: OutlineRow): void;
}

/** Keys of the outline, after the pattern of ARIA for trees. True if the key was one. */
export function outlineKeys(event: KeyboardEvent, actions: OutlineActions): void {
  const row = actions.rows[actions.focusedIndex];
  const isMod = event.ctrlKey || event.metaKey;
  if (isMod && event.key.toLowerCase() === 'a') {
    event.preventDefault();
    void runCommand(actions.commands.selectAll);
    return;
  }
  if (isMod) return;
  const act = event.altKey
    ? altKeys[event.key]
    : keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (act === undefined) return;
  event.preventDefault();
  act(actions, row, event);
}

type Act = (actions: OutlineActions, row: OutlineRow | undefined, event: KeyboardEvent) => void;

const keys: Readonly<Record<string, Act>> = {
  ArrowDown: (actions, _row, { shiftKey }) => actions.focusRow(actions.focusedIndex + 1, shiftKey),
  ArrowUp: (actions, _row, { shiftKey }) => actions.focusRow(actions.focusedIndex - 1, shiftKey),
  Home: (actions) => actions.focusRow(0),
  End: (actions) => actions.focusRow(actions.rows.length - 1),
  PageDown: (actions) => actions.focusRow(Math.min(actions.rows.length - 1, actions.focusedIndex + 15)),
  PageUp: (actions) => actions.focusRow(Math.max(0, actions.focusedIndex - 15)),
  ArrowRight: (actions, row) => {
    if (row === undefined || !row.hasChildren) return;
    if (row.isOpen) actions.focusRow(actions.focusedIndex + 1);
    else actions.setOpen(row, true);
  },
  ArrowLeft: (actions, row) => {
    if (row === undefined) return;
    if (row.isOpen) actions.setOpen(row, false);
    else actions.focusRow(parentIndex(actions.rows, actions.focusedIndex));
  },
  Escape: (actions) => {
    const parent = parentIndex(actions.rows, actions.focusedIndex);
    if (parent >= 0) actions.focusRow(parent);
    else void runCommand(actions.commands.deselect);
  },
  Enter: (actions, row) => row !== undefined && actions.enter(row),
  p: (actions) => actions.toPanel(),
  m: (actions) => actions.startMove(),
  '/': (actions, row) =>
    row?.kind === 'slot' ? actions.enter(row) : void runCommand(actions.commands.insert),
  Delete: (actions) => void runCommand(actions.commands.remove),
  Backspace: (actions) => void runCommand(actions.commands.remove),
  ContextMenu: (actions, row) => row !== undefined && actions.openMenu(row),
  F10: (actions, row, { shiftKey }) => shiftKey && row !== undefined && actions.openMenu(row),
};

const altKeys: Readonly<Record<string, Act>> = {
  ArrowUp: (actions) => void runCommand(actions.commands.moveUp),
  ArrowDown: (actions) => void runCommand(actions.commands.moveDown),
};

/** The row above with a smaller level; -1 if there is none. */
function parentIndex(rows: readonly OutlineRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  return rows.slice(0, index).findLastIndex((row) => row.level < level);
}
