import { t } from '../../../base/i18n/index.ts';
import { runCommand } from '../../../commands/run.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import type { TreeMove } from '../../../kit/tree/move.ts';
import { moveCommand } from '../commands/page-commands.ts';
import {
  computePlace,
  type PagePlace,
  type PageRow,
  pagePlaces,
  type TreeIndex,
} from '../model/tree-model.ts';

type Row = PageRow<PageTreeEntry>;

/** Moves one page with the pages below it. The home page of a website stays where it is. */
export function pageMove(tree: TreeIndex<PageTreeEntry>): TreeMove<Row, PagePlace> {
  const pageOf = ([key]: readonly string[]) => tree.byId.get(Number(key));
  return {
    canDrag: ({ page }) => page.parent_id !== null,
    lift: ({ key, page }) => (page.parent_id === null ? [] : [key]),
    listPlaces: (_lifted, rest) => pagePlaces(rest),
    drop: (place, lifted) => {
      const page = pageOf(lifted);
      if (page !== undefined) void runCommand(moveCommand(tree, page, place));
    },
    words: {
      name: (lifted) => pageOf(lifted)?.title ?? '',
      lifted: (lifted) => {
        const page = pageOf(lifted);
        if (page === undefined) return '';
        const { parentId, index } = computePlace(tree, page);
        return t('tree.lifted', {
          title: page.title,
          position: index + 1,
          count: tree.children.get(parentId)?.length ?? 0,
          parent: tree.byId.get(parentId)?.title ?? '',
        });
      },
      over: ({ gap, level }, rest) => {
        const [above, below] = [rest[gap - 1], rest[gap]];
        return below === undefined
          ? t('tree.after', { title: above?.page.title ?? '', level })
          : t('tree.before', { title: below.page.title, level });
      },
      dropped: ({ index }) => t('tree.dropped', { position: index + 1 }),
      cancelled: () => t('tree.cancelled'),
    },
  };
}

/** Moves a page among its siblings. */
export function moveBy(tree: TreeIndex<PageTreeEntry>, page: PageTreeEntry, by: 1 | -1): void {
  const { parentId, index } = computePlace(tree, page);
  const count = tree.children.get(parentId)?.length ?? 0;
  if (page.parent_id === null || index + by < 0 || index + by >= count) return;
  void runCommand(moveCommand(tree, page, { parentId, index: index + by }));
}
