/** What a change of the fields of a collection touches, and the renaming of a field. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { FieldDefinition } from '../../../../runtime/fields/definition.ts';
import { findRemainingValue } from '../../../../runtime/fields/types.ts';
import type { TemplateReport } from '../../../../runtime/tasks/messages/checks.ts';
import { apiError, invalid, invalidFields } from '../../../base/errors.ts';
import type { Change } from '../../../changes/changes.ts';
import type { CheckedText } from '../../../changes/text-analysis.ts';
import { findFieldNameFault } from '../../../content/fields/field-name.ts';
import { renameInCondition } from '../../../content/fields/settings.ts';
import { decide } from '../../../content/kinds/decide.ts';
import { recordSaved } from '../../../content/kinds/objects.ts';
import { findReferrers } from '../../../content/kinds/references.ts';
import { saveRevision } from '../../../content/kinds/revisions.ts';
import type { KindsByName } from '../../../content/kinds/usage.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { SharedServices } from '../../../feature.ts';
import type { FieldInput, StoredCollection } from '../model.ts';
import { runInBulk } from '../rows/bulk.ts';
import * as items from '../rows/store.ts';
import { faultsInFields, toFields } from '../schema.ts';
import { type CollectionKind, checkDataSlugForm } from '../service.ts';
import * as store from '../store.ts';
import type { Impact, ImpactQuestion } from './model.ts';
import { fieldUsesIn, findNamers, maxReferrers, usesIn } from './slug-uses.ts';

export type ImpactAnswer = Static<typeof Impact>;
type TemplateUses = ImpactAnswer['templates'];

export type FieldsChangeDeps = Pick<
  SharedServices,
  'reader' | 'snapshots' | 'pool' | 'changes' | 'registry' | 'backlog'
>;

/** What would break if a collection had these fields or this slug. @throws ApiError `common.invalid` */
export async function computeImpact(
  deps: FieldsChangeDeps,
  collection: StoredCollection,
  { fields, slug }: Static<typeof ImpactQuestion>,
): Promise<ImpactAnswer> {
  if (fields === undefined && slug === undefined) throw invalid('fields', 'must be given, or slug');
  if (slug !== undefined) checkDataSlugForm(slug);
  const impact = fields === undefined ? noImpact : await fieldsImpact(deps, collection, fields);
  if (slug === undefined || slug === collection.slug) return impact;
  const named = usesIn(await findNamers(deps, collection.slug), collection.slug);
  return { ...impact, templates: [...impact.templates, ...named] };
}

const noImpact: ImpactAnswer = { templates: [], entries: {}, detail_pages: { breaks: false, reason: '' } };

async function fieldsImpact(
  deps: FieldsChangeDeps,
  collection: StoredCollection,
  inputs: readonly FieldInput[],
): Promise<ImpactAnswer> {
  const faults = await faultsInFields(deps.reader, inputs, collection.fields);
  if (faults.length > 0) throw invalidFields(faults);
  const fields = await toFields(deps.reader, inputs, collection.fields);
  const hasDetailField = fields.some(({ name }) => name === collection.detail_field);
  const breaks = collection.detail_page_id !== 0 && !hasDetailField;
  return {
    templates: await usesWithout(
      deps,
      collection,
      fields.map(({ name }) => name),
      collection.fields.map(({ name }) => name),
    ),
    entries: await deps.snapshots.read((db) => countLosses(db, collection, fields)),
    detail_pages: {
      breaks,
      reason: breaks
        ? `"${collection.detail_field}", which makes the addresses of entries, would be gone`
        : '',
    },
  };
}

/**
 * Renames a field and keeps its values in all entries.
 *
 * @throws ApiError `common.invalid`, 409 `common.nameTaken`
 */
export async function renameField(
  change: Change,
  kind: CollectionKind,
  collection: StoredCollection,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<StoredCollection> {
  const { fields } = collection;
  if (!fields.some(({ name }) => name === from)) throw invalid('from', 'is no field of the collection');
  if (from === to) return collection;
  if (fields.some(({ name }) => name === to)) throw apiError('common.nameTaken', { name: to });
  const fault = findFieldNameFault(to);
  if (fault !== undefined) throw invalid('to', fault);
  const renamed: StoredCollection = {
    ...collection,
    fields: fields.map((field) => renamedField(field, from, to)),
    detail_field: collection.detail_field === from ? to : collection.detail_field,
    updated_at: Math.max(change.now, collection.updated_at + 1),
  };
  await decide(change, kind, { before: collection, after: renamed });
  await saveRevision(change, { kind: 'collection', id: collection.id }, collection);
  await store.collections.update(change.tx, renamed);
  await runInBulk(change, collection, () => renameInItems(change.tx, collection.id, from, to));
  await recordSaved(change, kind, 'updated', renamed, collection);
  return renamed;
}

/** A field after one of its collection, perhaps itself, was renamed. */
function renamedField(field: FieldDefinition, from: string, to: string): FieldDefinition {
  const { name, label, show_if: condition } = field;
  const own = name === from ? { name: to, label: label === from ? to : label } : {};
  return { ...field, ...own, ...renameInCondition(condition, from, to) };
}

/** The places that read fields of a collection which are not among `names`. @param gone the fields that were there */
export async function usesWithout(
  deps: FieldsChangeDeps,
  collection: Pick<StoredCollection, 'id' | 'slug'>,
  names: readonly string[],
  gone: readonly string[],
): Promise<TemplateUses> {
  const templates = await templatesWithout(deps, collection, names);
  const missing = gone.filter((name) => !names.includes(name));
  const namers = missing.length === 0 ? [] : await findNamers(deps, collection.slug);
  return [...templates, ...fieldUsesIn(namers, deps, missing)];
}

/** The places in templates that read fields of a collection which are not among `names`. */
async function templatesWithout(
  { reader, pool, registry }: Pick<FieldsChangeDeps, 'reader' | 'pool' | 'registry'>,
  { id, slug }: Pick<StoredCollection, 'id' | 'slug'>,
  names: readonly string[],
): Promise<TemplateUses> {
  const uses: TemplateUses = [];
  for (const { object, text } of await templatesNaming(reader, registry.byName, { id, slug })) {
    const { name, source } = text;
    const report: TemplateReport = await pool.request({
      kind: 'check-template',
      name,
      source,
      changed: { slug, fields: names },
    });
    for (const { code, params } of report.warnings) {
      const { collection, field, line, column } = params;
      if (code !== 'template.unknownField' || collection !== slug) continue;
      uses.push({ ...object, name, line: Number(line), column: Number(column), field: String(field) });
    }
  }
  return uses;
}

interface FoundTemplate {
  readonly object: { readonly kind: string; readonly id: number };
  readonly text: CheckedText;
}

/** Templates that name a collection, or one that refers to it. */
async function templatesNaming(
  db: ContentDb,
  kinds: KindsByName,
  { id, slug }: Pick<StoredCollection, 'id' | 'slug'>,
): Promise<FoundTemplate[]> {
  const slugs = new Set([slug]);
  for (const object of await findReferrers(db, { kind: 'collection', key: String(id) }, maxReferrers)) {
    const linking = object.kind === 'collection' ? await store.collections.find(db, object.id) : undefined;
    if (linking !== undefined) slugs.add(linking.slug);
  }
  const found = new Map<string, FoundTemplate>();
  for (const key of slugs) {
    for (const object of await findReferrers(db, { kind: 'collection', key }, maxReferrers)) {
      const kind = kinds.get(object.kind);
      const state = await kind?.find(db, object.id);
      for (const text of state === undefined ? [] : (kind?.texts?.(state) ?? []))
        if (text.language === 'template')
          found.set(`${object.kind} ${object.id} ${text.field}`, { object, text });
    }
  }
  return [...found.values()];
}

/** How many entries have a value that a list of fields has no place for, by field. */
async function countLosses(
  db: ContentDb,
  collection: StoredCollection,
  fields: StoredCollection['fields'],
): Promise<Record<string, number>> {
  const losses: Record<string, number> = {};
  const changed = collection.fields.flatMap((old) => {
    const field = fields.find(({ name }) => name === old.name);
    return field?.type === old.type ? [] : [{ name: old.name, field }];
  });
  if (changed.length === 0) return losses;
  for await (const slice of items.listItems(db, collection.id, true)) {
    for (const { data } of slice) {
      for (const { name, field } of changed) {
        const value = data[name] ?? null;
        const isLost =
          value !== null &&
          value !== false &&
          (field === undefined || findRemainingValue(data, field) === null);
        if (isLost) losses[name] = (losses[name] ?? 0) + 1;
      }
    }
  }
  return losses;
}

/** Entries that are written in one turn of the event loop. */
const itemsPerTurn = 200;

/** The value stays where it is among the others. */
async function renameInItems(db: ContentDb, collectionId: number, from: string, to: string): Promise<void> {
  let slice = await items.listData(db, collectionId, items.firstPlace, itemsPerTurn);
  while (slice.length > 0) {
    for (const item of slice) {
      if (!Object.hasOwn(item.data, from)) continue;
      const data = Object.fromEntries(
        Object.entries(item.data)
          // What is still stored of an earlier field of the new name is gone now.
          .filter(([name]) => name !== to)
          .map(([name, value]) => [name === from ? to : name, value]),
      );
      await items.setData(db, item.id, data);
    }
    await nextTurn();
    slice = await items.listData(db, collectionId, slice.at(-1) ?? items.firstPlace, itemsPerTurn);
  }
}
