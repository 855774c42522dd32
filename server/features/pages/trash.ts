/** Pages that come back from the trash. */
import { parseDomains } from '../../../runtime/content/site-host.ts';
import type { Change } from '../../changes/changes.ts';
import type { KindTrash, RestoredNames, RowEdits } from '../../content/kinds/trash/declaration.ts';
import {
  findDomainOwner,
  findIdAt,
  hasDefaultSite,
  listPathsOfSubtree,
} from '../../content/sites/service.ts';
import type { Row } from '../../db/connection.ts';
import type { ContentDb } from '../../db/tables.ts';
import { deleteRedirectFrom } from '../redirects/automatic.ts';
import { dissolveSingleGroups } from './language-groups/groups.ts';
import { listGroupsBelow, listMembers, setGroup } from './language-groups/store.ts';
import type { PageState } from './model.ts';
import { childPath } from './rules.ts';
import * as store from './store.ts';

export const pageTrash: KindTrash<PageState> = {
  parentOf: ({ parent_id: id }) => (id === null ? undefined : { kind: 'page', id }),
  beforeRestore: ({ tx }, page, names) =>
    page.parent_id === null ? prepareSite(tx, page, names) : preparePage(tx, page, page.parent_id, names),
  async afterRestore(change, id) {
    const page = await store.pages.find(change.tx, id);
    if (page === undefined) return;
    const subtree = { rootId: page.root_id, path: page.path };
    if (page.parent_id !== null)
      for (const { path } of await listPathsOfSubtree(change.tx, subtree))
        await deleteRedirectFrom(change, page.root_id, path);
    await leaveWrongGroups(change, subtree);
  },
};

/** There is at most one default website. */
async function prepareSite(db: ContentDb, site: PageState, names: RestoredNames): Promise<RowEdits> {
  for (const domain of parseDomains(site))
    await names.claim({
      what: 'domain',
      name: domain,
      async findHolder(wanted) {
        const id = await findDomainOwner(db, wanted);
        return id === undefined ? undefined : { kind: 'page', id };
      },
    });
  const isTaken = site.default_site && (await hasDefaultSite(db));
  return { pages: (row) => (row['id'] === site.id && isTaken ? { ...row, default_site: 0 } : row) };
}

/** The parent may have another path by now, and lie on another website. */
async function preparePage(
  db: ContentDb,
  page: PageState,
  parentId: number,
  names: RestoredNames,
): Promise<RowEdits | undefined> {
  const parent = await store.pages.find(db, parentId);
  if (parent === undefined) return undefined;
  const { root_id: rootId } = parent;
  const path = await names.claim({
    what: 'path',
    name: childPath(parent.path, page.slug),
    async findHolder(wanted) {
      const id = await findIdAt(db, rootId, wanted);
      return id === undefined ? undefined : { kind: 'page', id };
    },
    next: (number) => childPath(parent.path, `${page.slug}-${number}`),
  });
  const slug = path.slice(path.lastIndexOf('/') + 1);
  const pages = (row: Row): Row => {
    const isBelow = String(row['path']).startsWith(`${page.path}/`);
    const isOwn = row['id'] === page.id;
    if (row['root_id'] !== page.root_id || !(isOwn || isBelow)) return row;
    const moved = { ...row, root_id: rootId, path: path + String(row['path']).slice(page.path.length) };
    return isOwn ? { ...moved, slug } : moved;
  };
  const references = (row: Row): Row =>
    row['kind'] === 'page' && row['root_id'] === page.root_id ? { ...row, root_id: rootId } : row;
  return { pages, object_references: references };
}

/** Takes restored pages out of groups that have another page in their language by now. */
async function leaveWrongGroups(
  change: Change,
  { rootId, path }: { readonly rootId: number; readonly path: string },
): Promise<void> {
  const { tx, now } = change;
  const below = path === '/' ? '/' : `${path}/`;
  for (const group of await listGroupsBelow(tx, { rootId, path })) {
    const members = await listMembers(tx, group);
    for (const member of members) {
      const isRestored = member.root_id === rootId && (member.path === path || member.path.startsWith(below));
      const isDouble = members.some(({ id, lang }) => id !== member.id && lang === member.lang);
      if (isRestored && (member.lang === null || isDouble)) await setGroup(tx, member.id, '', now);
    }
  }
  await dissolveSingleGroups(change);
}
