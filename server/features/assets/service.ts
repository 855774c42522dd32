import { collectFaults, requireText } from '../../base/errors.ts';
import { compareIgnoringCase } from '../../base/text.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import { dataReferencesIn, mediaReferencesIn } from '../../content/kinds/references.ts';
import type { ContentDb } from '../../db/tables.ts';
import { Asset, AssetCreate, AssetListEntry, AssetListQuery, AssetUpdate, SavedAsset } from './model.ts';
import * as store from './store.ts';

/** A CSS or JS file. Its `kind` is fixed at creation; no update changes it. */
export const assetKind: Kind<Asset, typeof AssetCreate, typeof AssetUpdate> = {
  name: 'asset',
  path: '/assets',
  noun: 'an asset',
  about: 'CSS and JS files.',
  schemas: { create: AssetCreate, update: AssetUpdate, answer: Asset, saved: SavedAsset },
  list: {
    summary: 'List CSS and JS assets without their content',
    query: AssetListQuery,
    entry: AssetListEntry,
    read: listAssets,
  },
  find: store.assets.find,
  faultsIn: (_db, { name }) => collectFaults([() => name !== undefined && requireText('name', name)]),
  async create({ tx, now }, body) {
    const asset = { content: '', folder: '', ...body, created_at: now, updated_at: now };
    return { id: await store.assets.insert(tx, asset), ...asset };
  },
  async merge(_change, before, { name = before.name, content = before.content, folder = before.folder }) {
    return { ...before, name, content, folder };
  },
  async write({ tx }, after) {
    await store.assets.update(tx, after);
    return after;
  },
  // The foreign keys also delete its assignments to pages and snippets.
  async remove({ tx }, { id }) {
    await store.assets.remove(tx, id);
  },
  rights: { code: ['content', 'kind'] },
  namesOf: ({ name }) => ({ name }),
  texts: ({ name, kind, content }) => [{ language: kind, field: 'content', name, source: content }],
  // Found here and not by analysis, because the search for one word is all there is to it.
  refersTo: ({ content }) => ({ content: [...mediaReferencesIn(content), ...dataReferencesIn(content)] }),
  naming: ({ content }, visit) => ({ content: visit({ field: 'content', source: content, holds: 'text' }) }),
  usage: { targets: async (_db, { id }) => [{ kind: 'asset', key: String(id) }] },
  revisions: { kind: 'asset', restore: async (_db, _current, { content }) => ({ content }) },
  batch: { ops: ['create', 'update', 'delete'], idFields: [] },
  trash: { lists: { page_assets: 'page_id', snippet_assets: 'snippet_id' } },
  tables: ['assets'],
};

/** All assets, or those of one kind, by name, each with the pages and snippets that it is assigned to. */
async function listAssets(db: ContentDb, query: AssetListQuery): Promise<AssetListEntry[]> {
  const uses = await store.listUses(db);
  const assets = await store.listAssets(db);
  return assets
    .filter((asset) => query.kind === undefined || asset.kind === query.kind)
    .sort((left, right) => compareIgnoringCase(left.name, right.name) || left.id - right.id)
    .map((asset) => ({
      ...asset,
      page_ids: uses.pages.get(asset.id) ?? [],
      snippet_ids: uses.snippets.get(asset.id) ?? [],
    }));
}
