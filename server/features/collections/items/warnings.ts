/** What is told about an entry that was saved: names that no field has, and addresses that lead nowhere. */
import { nearest } from '../../../../grammar/suggest.ts';
import { detailPath } from '../../../../runtime/page/entry-address.ts';
import { parsePath } from '../../../../runtime/page/route.ts';
import { leveled, type Warning } from '../../../base/warnings.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { SharedServices } from '../../../feature.ts';
import { findPage } from '../../pages/service.ts';
import { findEntriesWith } from '../data/service.ts';
import type { StoredCollection } from '../model.ts';
import type { Entry } from '../rows/model.ts';
import * as collections from '../store.ts';

export type WarningDeps = Pick<SharedServices, 'reader' | 'pool'>;

/** An entry with what is told about it. Without warnings it is the answer to GET. */
export type SavedEntry = Entry & { readonly warnings?: Warning[] };

/** Most entries of one request whose addresses are looked for among all others. */
const maxLookups = 20;

/**
 * Adds warnings to entries that were saved.
 *
 * @param sent the data that was sent for each
 */
export async function withWarnings(
  deps: WarningDeps,
  collection: StoredCollection,
  entries: readonly Entry[],
  sent: readonly Readonly<Record<string, unknown>>[],
): Promise<SavedEntry[]> {
  const addresses = await addressWarnings(deps, collection, entries, sent);
  return entries.map((entry, index) => {
    const unknown = unknownNames(collection, sent[index] ?? {}, entry.data).map(unknownWarning);
    const warnings = [...unknown, ...(addresses.get(entry.id) ?? [])];
    return warnings.length === 0 ? entry : { ...entry, warnings };
  });
}

interface UnknownName {
  readonly field: string;
  readonly suggestion?: string;
}

/** Names in data that are no fields, without those of fields that are gone but still stored. */
export function unknownNames(
  { fields }: Pick<StoredCollection, 'fields'>,
  sent: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>> = {},
): UnknownName[] {
  const known = new Set(fields.map(({ name }) => name));
  return Object.keys(sent)
    .filter((name) => !known.has(name) && !Object.hasOwn(stored, name))
    .map((field) => {
      const suggestion = nearest(field, known);
      return suggestion === undefined ? { field } : { field, suggestion };
    });
}

function unknownWarning(unknown: UnknownName): Warning {
  const { field, suggestion } = unknown;
  const hint = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
  const error = `the collection has no field "${field}", so its value is not stored${hint}`;
  return leveled({ code: 'item.unknownField', error, params: { ...unknown } });
}

/** Warnings about addresses below the detail page, by ID of the entry; only where the address was sent. */
async function addressWarnings(
  deps: WarningDeps,
  collection: StoredCollection,
  entries: readonly Entry[],
  sent: readonly Readonly<Record<string, unknown>>[],
): Promise<ReadonlyMap<number, Warning[]>> {
  const warnings = new Map<number, Warning[]>();
  const { detail_page_id: pageId, detail_field: field } = collection;
  const page = pageId === 0 ? undefined : await findPage(deps.reader, pageId);
  if (page === undefined) return warnings;
  const named = entries.filter((_entry, index) => Object.hasOwn(sent[index] ?? {}, field));
  const siblings = await collectionsAt(deps.reader, pageId);
  const first = new Map<string, number>();
  for (const { id, data } of named) {
    const path = detailPath(page.path, data[field]);
    if (path === '') continue;
    const other =
      first.get(path) ??
      (named.length > maxLookups ? undefined : await otherAt(deps, siblings, id, path, page.path));
    if (!first.has(path)) first.set(path, id);
    const found = [
      ...(canBeRequested(path) ? [] : [invalidWarning(field, path)]),
      ...(other === undefined ? [] : [takenWarning(field, path, other)]),
    ];
    if (found.length > 0) warnings.set(id, found);
  }
  return warnings;
}

/** Other entries with the same value, in all collections with the same detail page. */
async function otherAt(
  { pool }: WarningDeps,
  siblings: readonly StoredCollection[],
  id: number,
  path: string,
  pagePath: string,
): Promise<number | undefined> {
  const part = decodeURIComponent(path.slice(pagePath === '/' ? 1 : pagePath.length + 1));
  for (const sibling of siblings) {
    const found = await findEntriesWith(pool, sibling, sibling.detail_field, part, 2);
    const other = found.find((known) => known !== id);
    if (other !== undefined) return other;
  }
  return undefined;
}

async function collectionsAt(db: ContentDb, pageId: number): Promise<StoredCollection[]> {
  return (await collections.collections.list(db)).filter(({ detail_page_id: page }) => page === pageId);
}

/** Whether a browser comes to the address as it is stored, and people can read and type it. */
function canBeRequested(path: string): boolean {
  const parsed = parsePath(path);
  return parsed !== undefined && !parsed.trailingSlash && !/%(?:[01]\w|20|23|25|3F|5C|7F)/i.test(path);
}

function invalidWarning(field: string, path: string): Warning {
  const error = `"${field}" gives ${path}, which cannot be requested or typed as an address`;
  return leveled({ code: 'item.addressInvalid', error, params: { field, path } });
}

function takenWarning(field: string, path: string, id: number): Warning {
  const error = `entry ${id} has the address ${path} too, and only one of them can be reached`;
  return leveled({ code: 'item.addressTaken', error, params: { field, path, id } });
}
