import type { Feature, Parts } from '../../feature.ts';
import { csvRoutes } from './csv/routes.ts';
import type { SourceJson } from './data/routes.ts';
import { dataRoutes } from './data/routes.ts';
import { type CollectionEntries, collectionEntries } from './entries.ts';
import { ItemIndexes } from './indexes.ts';
import { itemRoutes } from './items/routes.ts';
import { type ItemKind, itemKind } from './items/service.ts';
import { ReadableCollections } from './readable.ts';
import { collectionRoutes } from './routes.ts';
import type { ItemTargets } from './rows/values.ts';
import { type CollectionKind, collectionKind } from './service.ts';

interface CollectionsOptions {
  readonly targets?: ItemTargets;
  /** The answer of a REST source. */
  readonly sourceJson: SourceJson;
}

export interface CollectionsFeature extends Feature {
  readonly entries: CollectionEntries;
  readonly collectionKinds: { readonly collections: CollectionKind; readonly items: ItemKind };
}

/** Collections and their entries (Data, Automation and Operations, "Collections and entries"). */
export function collectionsFeature(parts: Parts, options: CollectionsOptions): CollectionsFeature {
  const { targets = {}, sourceJson } = options;
  const collections = collectionKind(parts.reader);
  const items = itemKind(targets);
  const readable = new ReadableCollections(parts.reader, parts.version);
  const indexes = new ItemIndexes(parts);
  indexes.check();
  return {
    kinds: [collections, items],
    collectionKinds: { collections, items },
    entries: collectionEntries(parts, items),
    routes: [
      ...collectionRoutes(parts, readable),
      ...itemRoutes({ ...parts, readable }, items),
      ...dataRoutes(parts, readable, sourceJson),
      ...csvRoutes(parts, collections, targets),
    ],
    kept: [{ tables: ['collections', 'object_references'], reload: () => indexes.check() }],
    onCommit: (commits) => indexes.onCommit(commits),
    close: () => indexes.close(),
    about: { data: 'Entries of collections and REST sources, as templates see them.' },
  };
}
