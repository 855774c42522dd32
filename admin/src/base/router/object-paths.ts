import { paths } from './paths.ts';

/** An object as the log of changes names it. */
export interface LoggedObject {
  readonly kind: string;
  readonly id: number;
  /** Slug of the collection of an entry. */
  readonly collection?: string;
}

/** Where an object is edited, and where its versions are, if it has any. */
export interface ObjectPaths {
  readonly object: string;
  readonly versions?: string;
}

/** The website of a page; undefined for a page that does not exist any more. */
type SiteOf = (page: number) => number | undefined;

const ofKind: Readonly<Record<string, (object: LoggedObject, siteOf: SiteOf) => ObjectPaths | undefined>> = {
  page({ id }, siteOf) {
    const site = siteOf(id);
    if (site === undefined) return undefined;
    return { object: paths.page(site, id), versions: paths.page(site, id, 'history') };
  },
  snippet: ({ id }) => withVersions(paths.snippet(id)),
  asset: ({ id }) => withVersions(paths.asset(id)),
  global_block: ({ id }) => withVersions(paths.globalBlock(id)),
  item: ({ id, collection }) =>
    collection === undefined ? undefined : withVersions(paths.collection(collection, id)),
  items: ({ collection }) =>
    collection === undefined ? undefined : { object: paths.collection(collection) },
  collection: ({ id }) => ({
    object: paths.collection(String(id)),
    versions: paths.collection(String(id), 'history'),
  }),
  file: ({ id }) => ({ object: paths.media({ file: id }) }),
  source: ({ id }) => ({ object: paths.source(id) }),
  workflow: ({ id }) => ({ object: paths.workflow(id), versions: paths.workflow(id, 'versions') }),
  flow_node: ({ id }) => ({ object: paths.flowNode(id) }),
  pen: ({ id }) => ({ object: paths.pen(id) }),
};

/** The screens of an object of the log; undefined if it has none. */
export function objectPaths(object: LoggedObject, siteOf: SiteOf): ObjectPaths | undefined {
  return Object.hasOwn(ofKind, object.kind) ? ofKind[object.kind]?.(object, siteOf) : undefined;
}

function withVersions(object: string): ObjectPaths {
  return { object, versions: `${object}?versions=1` };
}
