import type { Feature, SharedServices } from '../../feature.ts';
import { bySlug, followCollections, isPublic } from './by-ref.ts';
import { csvRoutes } from './csv/routes.ts';
import type { SourceJson } from './data/routes.ts';
import { dataRoutes } from './data/routes.ts';
import { type CollectionEntries, collectionEntries } from './entries.ts';
import { ItemIndexes } from './indexes.ts';
import { withItemOperations } from './items/operations.ts';
import { itemRoutes } from './items/routes.ts';
import { type ItemKind, itemKind } from './items/service.ts';
import { followPublicLimit } from './public-limit.ts';
import { reportReservedFields } from './reserved-fields.ts';
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
export function collectionsFeature(parts: SharedServices, options: CollectionsOptions): CollectionsFeature {
  const { targets = {}, sourceJson } = options;
  const collections = collectionKind(parts.reader);
  const items = withItemOperations(itemKind(targets, parts.reader));
  const byRef = followCollections(parts.reader);
  const publicLimit = followPublicLimit(parts.reader);
  const indexes = new ItemIndexes(parts);
  indexes.refresh();
  const reported = reportReservedFields(parts);
  return {
    kinds: [collections, items],
    collectionKinds: { collections, items },
    entries: collectionEntries(parts, items),
    routes: [
      ...collectionRoutes(parts, byRef),
      ...itemRoutes({ ...parts, byRef, publicLimit }, items),
      ...dataRoutes(parts, { byRef, publicLimit }, sourceJson),
      ...csvRoutes(parts, collections, targets),
    ],
    publicObjects: [
      { path: '/collections/{ref}', isPublic: (ref) => isPublic(byRef, ref) },
      { path: '/data/{slug}', isPublic: (slug) => isPublic(byRef, bySlug(slug)) },
    ],
    followers: [byRef, publicLimit, indexes],
    async close() {
      await reported;
      await indexes.close();
    },
    about: { data: 'Entries of collections and REST sources, as templates see them.' },
  };
}
