import type { MouseEvent, RefObject, SyntheticEvent } from 'react';
import type { Point, TreeMove } from './move.ts';
import type { Place, TreeRow } from './rows.ts';

/** `more` adds rows to the chosen ones, `range` takes their place. */
export type Choice = 'one' | 'toggle' | 'more' | 'range';

export interface SurfaceOptions<Row extends TreeRow, At extends Place> {
  readonly rows: readonly Row[];
  readonly focusedIndex: number;
  readonly move: TreeMove<Row, At>;
  readonly grip?: string;
  /** The row that was pressed last, which a drag begins with. */
  readonly pressed: RefObject<Row | undefined>;
  onChoose(rows: readonly Row[], choice: Choice, at: Row): void;
  onToggle(row: Row, isOpen: boolean): void;
  onMenu(row: Row, at: Point): void;
}

/** Clicks and drags of all rows. Rows are found by what is under the pointer, so they have no handlers. */
export function surfaceEvents<Row extends TreeRow, At extends Place>(options: SurfaceOptions<Row, At>) {
  const { rows, focusedIndex, move, grip, pressed, onChoose, onToggle, onMenu } = options;
  const choose = (index: number, row: Row, { ctrlKey, metaKey, shiftKey }: MouseEvent) => {
    const [from, to] = [Math.min(focusedIndex, index), Math.max(focusedIndex, index)];
    if (ctrlKey || metaKey) onChoose([row], 'toggle', row);
    else if (shiftKey) onChoose(rows.slice(from, to + 1), 'range', row);
    else onChoose([row], 'one', row);
  };
  return {
    onClick: (event: MouseEvent) => {
      const hit = findHit(event, rows);
      if (hit === undefined) return;
      const button = hit.target.closest('[data-menu]')?.getBoundingClientRect();
      if (button !== undefined) onMenu(hit.row, { x: button.left, y: button.bottom });
      else if (hit.target.closest('[data-caret]') !== null) onToggle(hit.row, !hit.row.isOpen);
      else if (findGrip(hit, grip) !== undefined) {
        event.preventDefault();
        choose(hit.index, hit.row, event);
      }
    },
    onContextMenu: (event: MouseEvent) => {
      const hit = findHit(event, rows);
      if (hit === undefined) return;
      event.preventDefault();
      onMenu(hit.row, { x: event.clientX, y: event.clientY });
    },
    findGrip: (event: SyntheticEvent) => {
      const hit = findHit(event, rows);
      pressed.current = hit?.row;
      return hit !== undefined && move.canDrag(hit.row) ? findGrip(hit, grip) : undefined;
    },
  };
}

interface Hit<Row extends TreeRow> {
  readonly row: Row;
  readonly index: number;
  readonly element: HTMLElement;
  readonly target: Element;
}

/** The row that something happens in. */
function findHit<Row extends TreeRow>(
  { target }: SyntheticEvent,
  rows: readonly Row[],
): Hit<Row> | undefined {
  if (!(target instanceof Element)) return undefined;
  const element = target.closest('[role=treeitem]');
  if (!(element instanceof HTMLElement)) return undefined;
  const index = Number(element.dataset['index']);
  const row = rows[index];
  return row && { row, index, element, target };
}

/** The part of a row that is clicked and dragged, if the pointer is on it. */
function findGrip<Row extends TreeRow>(
  { element, target }: Hit<Row>,
  grip: string | undefined,
): HTMLElement | undefined {
  const found = grip === undefined ? element : target.closest(grip);
  return found instanceof HTMLElement ? found : undefined;
}
