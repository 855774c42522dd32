import { type Ref, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { useRowText } from '../../../base/i18n/row-text.ts';
import { runCommand } from '../../../commands/run.ts';
import type { OwnKeys } from '../../../kit/tree/keys.ts';
import type { DropOutside, Point } from '../../../kit/tree/move.ts';
import { findParentIndex } from '../../../kit/tree/rows.ts';
import type { Choice } from '../../../kit/tree/surface.ts';
import { Tree, type TreeControl } from '../../../kit/tree/tree.tsx';
import { formatBlockName } from '../model/labels.ts';
import { innerKey, type OutlineRow, outlineRows } from '../model/outline.ts';
import { isReference, type List, pathTo } from '../model/tree.ts';
import type { BlockCommands } from '../state/commands.ts';
import { type BlockEditing, useEditing } from '../state/editing.ts';
import { blockMove, isOwn } from './block-move.ts';
import classes from './outline.module.css';
import { OutlineRowName } from './outline-row.tsx';

export interface OutlineProps {
  readonly editing: BlockEditing;
  readonly commands: BlockCommands;
  readonly control: Ref<TreeControl>;
  /** The page beside it, into which blocks can be dragged; null if it is not on the screen. */
  readonly page: RefObject<DropOutside | null>;
  /** ID of a block that the server has refused. */
  readonly faulty: string | undefined;
  onAdd(list: List): void;
  /** Goes to the fields of the chosen block. */
  onEnter(): void;
  onMenu(at: Point): void;
}

const levels = { width: 14, start: 28 };

/** The tree of blocks as rows. The row that the keys are on is the block chosen last, or a slot. */
export function Outline({ editing, commands, control, page, faulty, onAdd, onEnter, onMenu }: OutlineProps) {
  const text = useRowText();
  const tree = useEditing(editing, () => editing.tree);
  const facts = useEditing(editing, () => editing.facts);
  const closed = useEditing(editing, () => editing.closed);
  const selection = useEditing(editing, () => editing.selection);
  const [focusedSlot, setFocusedSlot] = useState<string>();
  const rows = useMemo(() => outlineRows(facts, tree, closed), [facts, tree, closed]);
  const chosen = useMemo(() => new Set(keysOf(selection)), [selection]);
  const move = useMemo(() => blockMove(editing, page), [editing, page]);
  const last = keysOf(selection).at(-1);
  const focused = focusedSlot ?? last;
  useOpenChoice(editing, last, () => setFocusedSlot(undefined));

  const choose = (chosenRows: readonly OutlineRow[], choice: Choice, at: OutlineRow) => {
    setFocusedSlot(at.kind === 'slot' ? at.key : undefined);
    if (at.kind === 'slot') {
      if (at.count === 0 && choice !== 'more') onAdd(at.list);
    } else if (at.reference !== undefined && choice !== 'more')
      editing.select({ ids: [at.reference], inner: at.block.id });
    else editing.select({ ids: idsAfter(selection.ids, chosenRows.filter(isOwn), choice) });
  };
  const enter = (row: OutlineRow) => (row.kind === 'slot' ? onAdd(row.list) : onEnter());
  const focus = (row: OutlineRow) =>
    row.kind === 'slot' ? setFocusedSlot(row.key) : choose([row], 'one', row);
  const remove = () => void runCommand(commands.remove);
  const keys: OwnKeys<OutlineRow> = {
    'mod+a': () => void runCommand(commands.selectAll),
    Escape: (row) => {
      const parent = row && rows[findParentIndex(rows, rows.indexOf(row))];
      if (parent === undefined) void runCommand(commands.deselect);
      else focus(parent);
    },
    p: onEnter,
    '/': (row) => (row?.kind === 'slot' ? enter(row) : void runCommand(commands.insert)),
    Delete: remove,
    Backspace: remove,
    'Alt+ArrowUp': () => void runCommand(commands.moveUp),
    'Alt+ArrowDown': () => void runCommand(commands.moveDown),
  };
  const toggle = useCallback((row: OutlineRow, isOpen: boolean) => setOpen(editing, row, isOpen), [editing]);
  const menuLabel = useCallback((row: OutlineRow) => (isOwn(row) ? text('blocks.more') : undefined), [text]);
  const draw = useCallback(
    (row: OutlineRow) => (
      <OutlineRowName
        row={row}
        facts={facts}
        text={text}
        isFaulty={row.kind === 'block' && row.key === faulty}
      />
    ),
    [facts, text, faulty],
  );
  return (
    <Tree
      label={t('blocks.outline')}
      rows={rows}
      levels={levels}
      focused={focused}
      chosen={chosen}
      revealed={focused}
      className={classes['tree']}
      keys={keys}
      move={move}
      control={control}
      wordsOf={(row) =>
        row.kind === 'slot' ? row.slot.label || row.slot.name : formatBlockName(facts, row.block)
      }
      onFocus={focus}
      onChoose={choose}
      onToggle={toggle}
      onEnter={enter}
      onMenu={(row, at) => {
        if (!isOwn(row)) return;
        if (!selection.ids.includes(row.key)) editing.select({ ids: [row.key] });
        onMenu(at);
      }}
      menuLabel={menuLabel}
      draw={draw}
    />
  );
}

/** What is chosen elsewhere is always to be seen here: opens what it lies in when another block is chosen. */
function useOpenChoice(editing: BlockEditing, last: string | undefined, onOther: () => void): void {
  const now = useRef(onOther);
  now.current = onOther;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice opens rows
  useEffect(() => {
    now.current();
    const { ids, inner } = editing.selection;
    const id = ids.at(-1);
    if (id === undefined) return;
    for (const block of pathTo(editing.tree, id).slice(0, -1)) {
      const slots = isReference(block) ? [] : Object.keys(block.slots ?? {});
      for (const key of [block.id, ...slots.map((slot) => `${block.id}/${slot}`)])
        if (editing.closed.has(key)) editing.setClosed(key, false);
    }
    if (inner !== undefined) editing.setClosed(`${id}!`, true);
  }, [last, editing]);
}

function keysOf({ ids, inner }: BlockEditing['selection']): readonly string[] {
  const [id] = ids;
  return inner === undefined || id === undefined ? ids : [innerKey(id, inner)];
}

/** The chosen blocks after a choice of rows. */
function idsAfter(before: readonly string[], rows: readonly OutlineRow[], choice: Choice): readonly string[] {
  const ids = rows.map(({ key }) => key);
  if (choice === 'toggle' && ids.some((id) => before.includes(id)))
    return before.filter((id) => !ids.includes(id));
  return choice === 'toggle' || choice === 'more' ? [...new Set([...before, ...ids])] : ids;
}

/** Global blocks are closed unless they were opened; all other rows are open unless they were closed. */
function setOpen(editing: BlockEditing, row: OutlineRow, isOpen: boolean): void {
  if (row.kind === 'block' && isReference(row.block)) editing.setClosed(`${row.key}!`, isOpen);
  else editing.setClosed(row.key, !isOpen);
}
