/**
 * Which objects refer to which (`object_references`). A reference is in a field (the assets of a page) or in a
 * template (a snippet that it names, a link). Each save replaces the references of the fields that it changes,
 * within its own change, so that the table always fits the content.
 */
import { isDeepStrictEqual } from 'node:util';
import { mediaLinksIn } from '../../../runtime/files/links.ts';
import type { Change } from '../../changes/changes.ts';
import type { CheckedText } from '../../changes/text-analysis.ts';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Kind, ObjectKey, ObjectState, Reference, ReferenceTarget } from './kind.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    object_references: {
      kind: string;
      object_id: number;
      field: string;
      root_id: number;
      to_kind: string;
      to_key: string;
    };
    reference_backlog: { kind: string; object_id: number };
  }
}

/** What this module asks of a kind. */
export type ReferringKind<State extends ObjectState> = Pick<
  Kind<State>,
  'name' | 'namesOf' | 'texts' | 'refersTo'
>;

/**
 * Stores the references of an object that has just been stored.
 *
 * @param before the state before; undefined for a new object
 */
export async function saveReferences<State extends ObjectState>(
  change: Change,
  kind: ReferringKind<State>,
  after: State,
  before?: State,
): Promise<void> {
  const referrer = { kind: kind.name, id: after.id, rootId: kind.namesOf(after).root_id ?? 0 };
  const old = before === undefined ? {} : (kind.refersTo?.(before) ?? {});
  for (const [field, references] of Object.entries(kind.refersTo?.(after) ?? {})) {
    if (isDeepStrictEqual(references, old[field] ?? [])) continue;
    await replaceReferences(change.tx, referrer, field, referrer.rootId, references);
  }
  const oldTexts = before === undefined ? [] : (kind.texts?.(before) ?? []);
  const changed = (kind.texts?.(after) ?? []).filter((text) => isTemplate(text) && !hasText(oldTexts, text));
  if (changed.length > 0) keepTextReferences(change, referrer, changed, before === undefined);
}

function keepTextReferences(
  change: Change,
  referrer: ObjectKey & { readonly rootId: number },
  texts: readonly CheckedText[],
  isNew: boolean,
): void {
  change.inspect(texts, async (reports) => {
    for (const [index, { field }] of texts.entries()) {
      const references: readonly Reference[] = reports[index]?.references ?? [];
      if (isNew && references.length === 0) continue;
      await replaceReferences(change.tx, referrer, field, referrer.rootId, references);
    }
  });
}

function isTemplate({ language }: CheckedText): boolean {
  return language === 'template';
}

function hasText(texts: readonly CheckedText[], { field, source }: CheckedText): boolean {
  return texts.some((text) => text.field === field && text.source === source);
}

/** The files that a text in any language names by their addresses. */
export function mediaReferencesIn(text: string): Reference[] {
  return mediaLinksIn(text).map((key) => ({ kind: 'media', key }));
}

/** Replaces the references of one field of an object. @param rootId website of the object, 0 if it has none */
export async function replaceReferences(
  db: ContentDb,
  { kind, id }: ObjectKey,
  field: string,
  rootId: number,
  references: readonly Reference[],
): Promise<void> {
  await deleteOfField.run(db, { kind, id, field });
  for (const { kind: toKind, key } of references) {
    await insertOne.run(db, { kind, id, field, rootId, toKind, key });
  }
}

/** Forgets everything that an object refers to. */
export async function removeReferences(db: ContentDb, { kind, id }: ObjectKey): Promise<void> {
  await deleteOfObject.run(db, { kind, id });
}

/** Adds an object whose references are to be found. */
export async function addToBacklog(db: ContentDb, { kind, id }: ObjectKey): Promise<void> {
  await insertIntoBacklog.run(db, { kind, id });
}

/** The objects that refer to a target, at most `limit`, by kind and ID. */
export async function findReferrers(
  db: ContentDb,
  { kind, key, rootId = 0, withBelow = false }: ReferenceTarget,
  limit: number,
): Promise<ObjectKey[]> {
  const below = key.endsWith('/') ? key.slice(0, -1) : key;
  // `0` is the character after `/`. An empty range contains nothing.
  const range = withBelow ? { from: `${below}/`, to: `${below}0` } : { from: '', to: '' };
  return selectReferrers.all(db, { kind, key, rootId, ...range, limit });
}

/** The keys of a kind that objects refer to, each once. One step for each key, however many refer to it. */
export async function listReferredKeys(db: ContentDb, kind: string): Promise<string[]> {
  const keys: string[] = [];
  let next = (await selectKeyAfter.first(db, { kind, key: '' }))?.key ?? null;
  while (next !== null) {
    keys.push(next);
    next = (await selectKeyAfter.first(db, { kind, key: next }))?.key ?? null;
  }
  return keys;
}

/** Some objects whose references are still to be found. */
export function listBacklog(db: ContentDb, limit: number): Promise<ObjectKey[]> {
  return selectBacklog.all(db, { limit });
}

export async function removeFromBacklog(db: ContentDb, { kind, id }: ObjectKey): Promise<void> {
  await deleteFromBacklog.run(db, { kind, id });
}

const deleteOfField = contentQuery((db, p: { kind: string; id: number; field: string }) =>
  db
    .deleteFrom('object_references')
    .where('kind', '=', p.kind)
    .where('object_id', '=', p.id)
    .where('field', '=', p.field),
);

const deleteOfObject = contentQuery((db, p: { kind: string; id: number }) =>
  db.deleteFrom('object_references').where('kind', '=', p.kind).where('object_id', '=', p.id),
);

const insertIntoBacklog = contentQuery((db, p: { kind: string; id: number }) =>
  db
    .insertInto('reference_backlog')
    .values({ kind: p.kind, object_id: p.id })
    .onConflict((conflict) => conflict.doNothing()),
);

const insertOne = contentQuery(
  (db, p: { kind: string; id: number; field: string; rootId: number; toKind: string; key: string }) =>
    db
      .insertInto('object_references')
      .values({
        kind: p.kind,
        object_id: p.id,
        field: p.field,
        root_id: p.rootId,
        to_kind: p.toKind,
        to_key: p.key,
      })
      .onConflict((conflict) => conflict.doNothing()),
);

const selectReferrers = contentQuery(
  (db, p: { kind: string; key: string; rootId: number; from: string; to: string; limit: number }) =>
    db
      .selectFrom('object_references')
      .select(['kind', 'object_id as id'])
      .distinct()
      .where('to_kind', '=', p.kind)
      .where((where) =>
        where.or([
          where('to_key', '=', p.key),
          where.and([where('to_key', '>=', p.from), where('to_key', '<', p.to)]),
        ]),
      )
      .where((where) =>
        where.or([
          where(where.val(p.rootId), '=', 0),
          where('root_id', '=', 0),
          where('root_id', '=', p.rootId),
        ]),
      )
      .orderBy('kind')
      .orderBy('object_id')
      .limit(p.limit),
);

const selectKeyAfter = contentQuery((db, p: { kind: string; key: string }) =>
  db
    .selectFrom('object_references')
    .select((expression) => expression.fn.min<string | null>('to_key').as('key'))
    .where('to_kind', '=', p.kind)
    .where('to_key', '>', p.key),
);

const selectBacklog = contentQuery((db, p: { limit: number }) =>
  db.selectFrom('reference_backlog').select(['kind', 'object_id as id']).limit(p.limit),
);

const deleteFromBacklog = contentQuery((db, p: { kind: string; id: number }) =>
  db.deleteFrom('reference_backlog').where('kind', '=', p.kind).where('object_id', '=', p.id),
);
