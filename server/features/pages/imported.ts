/** Pages as a website import writes them (Data, "Website import"). */
import { isDeepStrictEqual } from 'node:util';
import { nextUpdatedAt } from '../../base/clock.ts';
import type { Change } from '../../changes/changes.ts';
import type { Kind, Reference } from '../../content/kinds/kind.ts';
import { requireObject } from '../../content/kinds/objects.ts';
import { replaceReferences } from '../../content/kinds/references.ts';
import { saveRevision, saveStateAuthor } from '../../content/kinds/revisions.ts';
import { saveOrigin } from './imported-store.ts';
import type { PageCreate, PageState, PageUpdate } from './model.ts';
import { normalizeLang } from './rules.ts';

export { listAssignments as listAssignedAssets } from './assignments.ts';
export { findAtPath, type KnownPage, listImported } from './imported-store.ts';

/** Where a page comes from. */
export interface PageOrigin {
  /** Empty for a level between pages that is no page of the original. */
  readonly source_url: string;
  readonly import_root: number;
}

/** What the fields of an imported page refer to; nobody needs to analyse them. */
export type PageReferences = Readonly<Record<string, readonly Reference[]>>;

/** What an import needs of the kind of pages. */
export type ImportedPageKind = Pick<
  Kind<PageState, typeof PageCreate, typeof PageUpdate>,
  'find' | 'create' | 'merge' | 'write' | 'refersTo'
>;

/**
 * Creates a page below another one. It is not recorded: an import tells about all its pages at once.
 *
 * @throws the errors of the kind
 */
export async function createImportedPage(
  change: Change,
  kind: ImportedPageKind,
  body: PageCreate,
  { origin, references }: { readonly origin: PageOrigin; readonly references: PageReferences },
): Promise<PageState> {
  const state = await kind.create(change, body);
  await saveStateAuthor(change, { kind: 'page', id: state.id });
  await saveOrigin(change.tx, state.id, origin);
  await keepAllReferences(change, kind, state, references);
  change.journal?.add('page', undefined, state);
  return { ...state, ...origin };
}

/**
 * Overwrites fields of a page. A revision keeps the state before, and the page counts as not edited.
 *
 * @throws ApiError `common.notFound`, and the errors of the kind
 */
export async function updateImportedPage(
  change: Change,
  kind: ImportedPageKind,
  id: number,
  body: PageUpdate,
  { origin, references }: { readonly origin: PageOrigin; readonly references: PageReferences },
): Promise<PageState> {
  const { tx, now } = change;
  const before = await requireObject(kind, tx, id);
  const merged = await kind.merge(change, before, body);
  let state = before;
  if (!isDeepStrictEqual(merged, before)) {
    await saveRevision(change, { kind: 'page', id }, before);
    state = await kind.write(
      change,
      { ...merged, updated_at: nextUpdatedAt(now, before.updated_at) },
      before,
    );
    await saveStateAuthor(change, { kind: 'page', id });
    await keepAllReferences(change, kind, state, references);
    change.journal?.add('page', before, state);
  }
  await saveOrigin(tx, id, origin);
  return { ...state, ...origin, local_modified: false };
}

/** A language tag as pages have it; empty if it is none. */
export function langOrNone(lang: string): string {
  try {
    return normalizeLang(lang);
  } catch {
    return '';
  }
}

async function keepAllReferences(
  change: Change,
  { refersTo }: ImportedPageKind,
  page: PageState,
  references: PageReferences,
): Promise<void> {
  const referrer = { kind: 'page', id: page.id };
  for (const [field, found] of Object.entries({ ...refersTo?.(page), ...references }))
    await replaceReferences(change.tx, referrer, field, page.root_id, found);
}
