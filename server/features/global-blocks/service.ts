import { isDeepStrictEqual } from 'node:util';
import { globalBlockColumns } from '../../../runtime/content/tables.ts';
import { apiError, collectFaults, requireText } from '../../base/errors.ts';
import { compareIgnoringCase } from '../../base/text.ts';
import { convertTree, TrustedTree, treeErrors } from '../../content/blocks/convert-tree.ts';
import { listTreeMarkup } from '../../content/blocks/markup.ts';
import { requireFitsUsage } from '../../content/blocks/places.ts';
import { collectReferences } from '../../content/blocks/references.ts';
import { listUsageOfGlobal } from '../../content/blocks/usage.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import { replaceReferences } from '../../content/kinds/references.ts';
import { objectTable } from '../../db/object-table.ts';
import type { ContentDb, ObjectColumns } from '../../db/tables.ts';
import { GlobalBlock, GlobalBlockCreate, GlobalBlockUpdate } from './model.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    global_blocks: ObjectColumns<typeof globalBlockColumns>;
  }
}

const globalBlocks = objectTable<GlobalBlock>()('global_blocks', globalBlockColumns);

/** A block tree that other trees insert by its ID (Core, "Global block"). */
export const globalBlockKind: Kind<GlobalBlock, typeof GlobalBlockCreate, typeof GlobalBlockUpdate> = {
  name: 'global_block',
  nameInUsage: 'global',
  path: '/global-blocks',
  noun: 'a global block',
  about: 'Block trees that pages, entries and other global blocks insert.',
  schemas: { create: GlobalBlockCreate, update: GlobalBlockUpdate, answer: GlobalBlock },
  errors: {
    create: [...treeErrors, 'auth.unsafeHtml'],
    update: [...treeErrors, 'block.globalNowNotAllowed', 'auth.unsafeHtml'],
  },
  list: { summary: 'List global blocks', entry: GlobalBlock, read: listGlobalBlocks },
  find: globalBlocks.find,
  faultsIn: (_db, { name }) => collectFaults([() => name !== undefined && requireText('name', name)]),
  async create({ tx, now }, { name, folder = '', description = '', blocks }) {
    const tree = blocks === undefined ? [] : await convertTree(tx, blocks);
    const stored = { name, folder, description, created_at: now, updated_at: now, blocks: tree };
    const state = { id: await globalBlocks.insert(tx, stored), ...stored };
    if (tree.length > 0) await keepTreeReferences(tx, state);
    return state;
  },
  async merge({ tx }, before, { name, folder, description, blocks: sent }) {
    const { id } = before;
    const blocks =
      sent === undefined
        ? before.blocks
        : await convertTree(tx, sent, { globalId: id, before: before.blocks });
    if (!isDeepStrictEqual(blocks, before.blocks)) await requireFitsUsage(tx, id, blocks);
    return {
      ...before,
      name: name ?? before.name,
      folder: folder ?? before.folder,
      description: description ?? before.description,
      blocks,
    };
  },
  async write({ tx }, after, before) {
    await globalBlocks.update(tx, after);
    if (!isDeepStrictEqual(after.blocks, before.blocks)) await keepTreeReferences(tx, after);
    return after;
  },
  async remove({ tx }, { id }) {
    const usage = await listUsageOfGlobal(tx, id);
    if (usage.length > 0) {
      const shown = usage.slice(0, maxShown).map(({ kind, id: user, title }) => ({ kind, id: user, title }));
      throw apiError('block.globalInUse', { count: usage.length, usage: shown });
    }
    await globalBlocks.remove(tx, id);
  },
  rights: { code: [] },
  namesOf: ({ name }) => ({ name }),
  listMarkup: ({ tx }, { blocks }) => listTreeMarkup(tx, blocks, 'blocks'),
  batch: { ops: ['create', 'update', 'delete'], idFields: [] },
  revisions: {
    kind: 'globalblock',
    restore: async (_db, _current, { blocks, description }) => ({
      ...(blocks === undefined ? {} : { blocks: TrustedTree.fromHistory(blocks) }),
      ...(description === undefined ? {} : { description }),
    }),
  },
  usage: {
    targets: async (_db, { id }) => [{ kind: 'global_block', key: String(id) }],
    isRefusedByKind: true,
  },
  trash: {},
  tables: ['global_blocks'],
  bundle: { names: { blocks: 'tree' } },
  keepReferences: ({ tx }, block) => keepTreeReferences(tx, block),
};

/** Most objects that an error lists. */
const maxShown = 100;

/** All global blocks, by folder and name. */
async function listGlobalBlocks(db: ContentDb): Promise<GlobalBlock[]> {
  const all = await globalBlocks.list(db);
  return all.sort(
    (left, right) =>
      compareIgnoringCase(left.folder, right.folder) || compareIgnoringCase(left.name, right.name),
  );
}

async function keepTreeReferences(db: ContentDb, { id, blocks }: GlobalBlock): Promise<void> {
  await replaceReferences(db, { kind: 'global_block', id }, 'blocks', 0, await collectReferences(db, blocks));
}
