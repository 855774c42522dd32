import { type KeyboardEvent, useCallback, useState } from 'react';
import { text } from '../../../base/i18n/index.ts';
import { runCommand } from '../../../commands/run.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { moveCommand } from '../commands/page-commands.ts';
import { type MoveTarget, moveTarget, placeOf, type TreeIndex, type TreeRow } from '../model/tree-model.ts';

export interface Moving {
  readonly page: PageTreeEntry;
  /** Undefined until the first key. */
  readonly target: MoveTarget | undefined;
}

type Rows = readonly TreeRow<PageTreeEntry>[];

/** Moving a page by keys: `M` lifts it, arrows choose the place, Enter puts it down, Esc puts it back. */
export function useMoveMode(tree: TreeIndex<PageTreeEntry>) {
  const [moving, setMoving] = useState<Moving>();
  const [announcement, setAnnouncement] = useState('');

  const start = useCallback(
    (page: PageTreeEntry) => {
      if (page.parent_id === null) return;
      const { parentId, index } = placeOf(tree, page);
      const siblings = tree.children.get(parentId) ?? [];
      setMoving({ page, target: undefined });
      setAnnouncement(
        text('tree.lifted', {
          title: page.title,
          position: index + 1,
          count: siblings.length,
          parent: tree.byId.get(parentId)?.title ?? '',
        }),
      );
    },
    [tree],
  );
  const cancel = useCallback(() => {
    setMoving((before) => {
      if (before !== undefined) setAnnouncement(text('tree.cancelled'));
      return undefined;
    });
  }, []);

  /** True if the key was one of the move. @param rows without the moved page @param allRows with it */
  const onKeyDown = (event: KeyboardEvent, rows: Rows, allRows: Rows): boolean => {
    if (moving === undefined) return false;
    event.preventDefault();
    const { page } = moving;
    const from = allRows.findIndex((row) => row.page.id === page.id);
    const level = allRows[from]?.level ?? 2;
    const target = moving.target ?? moveTarget(tree, rows, page.id, from, level);
    const step = steps[event.key];
    if (step !== undefined) {
      const [gap, deeper] = step;
      const next = moveTarget(tree, rows, page.id, target.gap + gap, target.level + deeper);
      setMoving({ page, target: next });
      setAnnouncement(describe(rows, next));
    } else if (event.key === 'Enter') {
      setMoving(undefined);
      setAnnouncement(text('tree.dropped', { position: target.index + 1 }));
      void runCommand(moveCommand(tree, page, target));
    } else if (event.key === 'Escape') cancel();
    return true;
  };
  return { moving, announcement, start, cancel, onKeyDown };
}

/** Change of gap and level by key. */
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

function describe(rows: Rows, { gap, level }: MoveTarget): string {
  const before = rows[gap];
  const after = rows[gap - 1];
  return before === undefined
    ? text('tree.after', { title: after?.page.title ?? '', level })
    : text('tree.before', { title: before.page.title, level });
}
