import { t } from '../../../base/i18n/index.ts';
import { paths } from '../../../base/router/paths.ts';
import type { Command, CommandResult } from '../../../commands/command.ts';
import { createDeletion } from '../../../commands/command.ts';
import { duplicatePages } from '../../../content/duplicate/duplicate.ts';
import { movePage } from '../../../content/page-requests.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { viewPage } from '../../../editors/preview/view-page.ts';
import { duplicateCommand } from '../../../kit/duplicate/duplicate-command.ts';
import { computePlace, type PagePlace, type TreeIndex } from '../model/tree-model.ts';
import { updatePages } from './bulk.ts';
import { openPageDialog } from './page-dialogs.ts';

/** Commands for pages chosen in the tree. */
export function pageCommands(
  pages: readonly PageTreeEntry[],
  tree: Pick<TreeIndex<PageTreeEntry>, 'children'>,
): readonly Command[] {
  const [page] = pages;
  if (page === undefined) return [];
  if (pages.length > 1)
    return [
      publishPages(pages),
      unpublishPages(pages),
      ...duplicateCommands(pages, tree),
      deletePages(pages),
    ];
  return [
    newPageBelow(page),
    viewPage(page),
    page.published ? unpublishPages(pages) : publishPages(pages),
    ...duplicateCommands(pages, tree),
    moveToCommand(page),
    deletePages(pages),
  ];
}

/**
 * Copies of pages beside them, without and with what is below. Home pages stand for websites and have none.
 *
 * @param keep saves what was just typed
 */
export function duplicateCommands(
  pages: readonly PageTreeEntry[],
  { children }: Pick<TreeIndex<PageTreeEntry>, 'children'>,
  keep?: Command,
): readonly Command[] {
  const copied = pages.filter(({ parent_id }) => parent_id !== null);
  const [first] = copied;
  if (first === undefined) return [];
  const ids = new Set(copied.map(({ id }) => id));
  const create = (isDeep: boolean) =>
    duplicateCommand({
      isDeep,
      keep,
      copy: () => duplicatePages(ids, isDeep),
      path: (id) => paths.page(first.root_id, id),
    });
  return copied.some(({ id }) => children.has(id)) ? [create(false), create(true)] : [create(false)];
}

export function newPageBelow(parent: PageTreeEntry): Command {
  return {
    id: 'page.new',
    label: 'page.newBelow',
    icon: 'file-plus',
    run: () => openPageDialog({ kind: 'new', parent }),
  };
}

function publishPages(pages: readonly PageTreeEntry[]): Command {
  const drafts = pages.filter(({ published }) => !published);
  return {
    id: 'page.publish',
    label: 'page.publish',
    icon: 'rocket-launch',
    can: () => drafts.length > 0,
    run: () => setPublished(drafts, true),
  };
}

function unpublishPages(pages: readonly PageTreeEntry[]): Command {
  const live = pages.filter(({ published }) => published);
  return {
    id: 'page.unpublish',
    label: 'page.unpublish',
    icon: 'eye-slash',
    can: () => live.length > 0,
    run: () => setPublished(live, false),
  };
}

export function moveToCommand(page: PageTreeEntry): Command {
  return {
    id: 'page.moveTo',
    label: 'page.moveTo',
    icon: 'arrows-out-cardinal',
    can: () => page.parent_id !== null,
    run: () => openPageDialog({ kind: 'move', page }),
  };
}

/** Takes the page over again from where it came from. */
export function reimportPage(page: Pick<PageTreeEntry, 'id' | 'title'>): Command {
  return {
    id: 'page.reimport',
    label: 'imports.reimport',
    icon: 'arrows-clockwise',
    run: () => openPageDialog({ kind: 'reimport', page }),
  };
}

export function deletePages(pages: readonly PageTreeEntry[]): Command {
  return createDeletion('page.delete', 'page.delete', () => openPageDialog({ kind: 'delete', pages }));
}

/** Moves a page to a place in its website. */
export function moveCommand(
  tree: TreeIndex<PageTreeEntry>,
  page: PageTreeEntry,
  target: Pick<PagePlace, 'parentId' | 'index'>,
): Command {
  return {
    id: 'page.move',
    label: 'page.move',
    icon: 'arrows-out-cardinal',
    run: async () => {
      const before = computePlace(tree, page);
      if (before.parentId === target.parentId && before.index === target.index) return undefined;
      await movePage(page.id, target.parentId, target.index);
      return {
        message: t('page.moved', {
          title: page.title,
          parent: tree.byId.get(target.parentId)?.title ?? '',
        }),
        undo: () => movePage(page.id, before.parentId, before.index),
      };
    },
  };
}

/** Publishes pages or takes them off: all of them, or none if one would show visitors an error page. */
async function setPublished(pages: readonly PageTreeEntry[], published: boolean): Promise<CommandResult> {
  const ids = pages.map(({ id }) => id);
  await updatePages(ids, { published }, published);
  const message = t(published ? 'page.published' : 'page.unpublished', {
    count: ids.length,
    title: pages[0]?.title ?? '',
  });
  return { message, undo: () => updatePages(ids, { published: !published }, false) };
}
