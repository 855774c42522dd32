/** Keys of the graph. They work while a node has the focus. */
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { grid } from '../../../content/flow.ts';
import { showToast } from '../../../ui/messages/toasts.ts';
import { copyNodes, duplicateNodes, partIn, pasteNodes } from '../model/clipboard.ts';
import { type Direction, findDirection, nodeBeside } from '../model/walk.ts';
import type { FlowEditing } from '../state/flow-editing.ts';

export interface GraphActions {
  readonly editing: FlowEditing;
  add(): void;
  connect(): void;
  edit(): void;
  fit(): void;
}

const steps: Readonly<Record<Direction, readonly [x: number, y: number]>> = {
  ArrowLeft: [-grid, 0],
  ArrowRight: [grid, 0],
  ArrowUp: [0, -grid],
  ArrowDown: [0, grid],
};

export function onGraphKey(actions: GraphActions): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.defaultPrevented || isTyping(event.target)) return;
    const direction = findDirection(event.key);
    const done =
      direction === undefined ? onOtherKey(event, actions) : onArrow(event, direction, actions.editing);
    if (done) event.preventDefault();
  };
}

function isTyping(target: EventTarget): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null
  );
}

/** Arrows go along the wires, with Shift they choose more, with Alt they move what is chosen. */
function onArrow(event: KeyboardEvent, direction: Direction, editing: FlowEditing): boolean {
  const { current, flow, selection } = editing;
  if (event.ctrlKey || event.metaKey) return false;
  if (event.altKey) {
    const [x, y] = steps[direction];
    editing.moveBy({ x, y });
    return true;
  }
  const [first] = flow.nodes;
  const next = current === undefined ? first : nodeBeside(flow, current, direction);
  if (next === undefined) return true;
  const before = event.shiftKey ? selection.nodes.filter((id) => id !== next.id) : [];
  editing.choose([...before, next.id]);
  return true;
}

/** True if the key was used. */
function onOtherKey(event: KeyboardEvent, { editing, add, connect, edit, fit }: GraphActions): boolean {
  const isMod = event.ctrlKey || event.metaKey;
  const focused = event.target instanceof HTMLElement ? event.target.dataset['node'] : undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (isMod) return onModKey(key, editing);
  if (event.altKey) return false;
  // Buttons inside the graph keep their Enter and Space.
  if ((key === 'Enter' || key === ' ') && focused === undefined) return false;
  if (focused !== undefined && editing.current?.id !== focused && key !== 'Escape') editing.choose([focused]);
  const keys: Readonly<Record<string, () => void>> = {
    n: add,
    c: () => {
      if (editing.current !== undefined) connect();
    },
    f: fit,
    Enter: edit,
    ' ': () => undefined,
    Delete: () => removeChosen(editing),
    Backspace: () => removeChosen(editing),
    Escape: () => editing.choose([]),
  };
  const run = keys[key];
  run?.();
  return run !== undefined;
}

function onModKey(key: string, editing: FlowEditing): boolean {
  if (key === 'a') {
    editing.choose(editing.flow.nodes.map(({ id }) => id));
    return true;
  }
  if (key !== 'd') return false;
  const { flow, ids } = duplicateNodes(editing.flow, new Set(editing.selection.nodes));
  if (ids.length > 0) editing.change(flow, { nodes: ids, wires: [] });
  return true;
}

function removeChosen(editing: FlowEditing): void {
  const count = editing.remove();
  if (count > 0)
    showToast({
      tone: 'done',
      message: t('workflows.removed', { count }),
      undo: async () => editing.undo(),
    });
}

/** Copy, cut and paste of nodes as text, so that they get from one flow, window or person to another. */
export function onGraphClipboard(editing: FlowEditing) {
  const copy = (event: ClipboardEvent): boolean => {
    const { nodes } = editing.selection;
    if (isTyping(event.target) || nodes.length === 0) return false;
    event.clipboardData.setData('text/plain', copyNodes(editing.flow, new Set(nodes)));
    event.preventDefault();
    return true;
  };
  return {
    copy: (event: ClipboardEvent) => {
      if (!copy(event)) return;
      showToast({
        tone: 'done',
        message: t('workflows.copied', { count: editing.selection.nodes.length }),
      });
    },
    cut: (event: ClipboardEvent) => {
      if (copy(event)) removeChosen(editing);
    },
    paste: (event: ClipboardEvent) => {
      if (isTyping(event.target)) return;
      event.preventDefault();
      const part = partIn(event.clipboardData.getData('text/plain'));
      const { flow, ids } = pasteNodes(editing.flow, part ?? { nodes: [], wires: [] });
      if (ids.length > 0) editing.change(flow, { nodes: ids, wires: [] });
      else showToast({ tone: 'failed', message: t('workflows.nothingToPaste') });
    },
  };
}
