import Type from 'typebox';
import type { Form } from '../../../api/multipart/multipart.ts';
import { Reply } from '../../../api/reply.ts';
import { defineRoute, type Route } from '../../../api/route.ts';
import { bodyValidator } from '../../../api/validate.ts';
import type { Actor } from '../../../base/actor.ts';
import type { ErrorCode } from '../../../base/errors.ts';
import type { Placement } from '../../../base/rights.ts';
import type { Change } from '../../../changes/changes.ts';
import { RefParams } from '../../../content/common-fields.ts';
import { decideAt } from '../../../content/kinds/decide.ts';
import { createObject } from '../../../content/kinds/objects.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { SharedServices } from '../../../feature.ts';
import { slicedCsv } from '../../../http/csv/write.ts';
import { placeEntries } from '../items/service.ts';
import { CollectionCreate, type StoredCollection } from '../model.ts';
import type { ItemTargets } from '../rows/values.ts';
import { type CollectionKind, checkCollection, presentCollection, requireCollection } from '../service.ts';
import { exportedRows } from './export.ts';
import { type EntryFile, maxFileBytes, readEntryFile } from './file.ts';
import { importEntries, previewImport } from './import.ts';
import { parseJson } from './mapping.ts';
import { ImportForm, ImportQuery, ImportResult, NewImportForm, NewImportQuery } from './model.ts';
import { suggestCollection } from './suggest.ts';

/** Export and import of entries as CSV (Data, Automation and Operations, "Collections and entries"). */
export function csvRoutes(
  {
    reader,
    snapshots,
    changes,
    clock,
    streamInThread,
  }: Pick<SharedServices, 'reader' | 'snapshots' | 'changes' | 'clock' | 'streamInThread'>,
  kind: CollectionKind,
  targets: ItemTargets,
): Route[] {
  const optionsOf = (form: Form, replace: boolean) => ({
    mapping: form.fields.get('mapping'),
    key: form.fields.get('key'),
    replace,
    targets,
  });
  return [
    defineRoute({
      method: 'GET',
      path: '/collections/{ref}/export',
      access: 'read',
      needs: 'objects',
      summary: 'Export all entries as CSV',
      params: RefParams,
      response: Type.String(),
      produces: 'text/csv',
      handle: async ({ params }) => {
        const bytes = await snapshots.read(async (db) =>
          slicedCsv(exportedRows(db, await requireCollection(db, params.ref)), ','),
        );
        const { slug } = await requireCollection(reader, params.ref);
        const date = new Date(clock()).toISOString().slice(0, 10);
        return Reply.text(bytes, 'text/csv; charset=utf-8', {
          headers: [['Content-Disposition', `attachment; filename="${slug}-${date}.csv"`]],
        });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/collections/{ref}/import',
      access: 'write',
      needs: { action: 'publish', kind: 'item' },
      summary: 'Import entries from CSV, all or nothing',
      params: RefParams,
      query: ImportQuery,
      body: ImportForm,
      form: { maxBytes: maxFileBytes + maxFormBytes, maxFiles: 1 },
      response: ImportResult,
      errors: importErrors,
      handle: async ({ actor, params, query, form }) => {
        const target = await requireCollection(reader, params.ref);
        await requireImportRight(reader, actor, placeEntries(target));
        const file = await readEntryFile(form, streamInThread);
        const options = optionsOf(form, query.replace === true);
        if (query.dry_run === true)
          return snapshots.read(async (db) =>
            previewImport(db, await requireCollection(db, params.ref), file, options),
          );
        return changes.changeInOwnTransaction(actor, async (change) =>
          importEntries(change, await requireCollection(change.tx, params.ref), file, options),
        );
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/collections/import',
      access: 'write',
      needs: { action: 'code', kind: 'collection' },
      summary: 'Create a collection from CSV',
      query: NewImportQuery,
      body: NewImportForm,
      form: { maxBytes: maxFileBytes + maxFormBytes, maxFiles: 1 },
      response: ImportResult,
      status: 201,
      otherStatus: 200,
      errors: [
        ...importErrors,
        'collection.slugTaken',
        'collection.detailPageInvalid',
        'translation.langInvalid',
      ],
      handle: async ({ actor, query, form }) => {
        const file = await readEntryFile(form, streamInThread);
        const body = await collectionOf(form, file);
        const options = { ...optionsOf(form, false), key: undefined };
        if (query.dry_run === true) {
          const report = await snapshots.read((db) => previewNew(db, body, file, options));
          return Reply.json(report, { status: 200 });
        }
        return changes.changeInOwnTransaction(actor, async (change) => {
          const collection = await createObject(change, kind, body);
          const report = await importEntries(change, collection, file, options);
          return { ...report, collection: await presentNew(change, collection) };
        });
      },
    }),
  ];
}

/** Refuses before a file is read, and a dry run too. The import itself decides again. */
async function requireImportRight(
  tx: SharedServices['reader'],
  actor: Actor,
  place: Placement,
): Promise<void> {
  await decideAt({ tx, actor, decision: 'live', markDecided: () => {} }, place);
}

const validateCollection = bodyValidator(CollectionCreate, 'collection');

/** The collection of a form, or one that fits the file. */
async function collectionOf(form: Form, file: EntryFile): Promise<CollectionCreate> {
  const sent = form.fields.get('collection');
  if (sent === undefined || sent === '') return suggestCollection(file, form.fields.get('name') ?? '');
  // Type boundary: the validator has checked it against this schema.
  return validateCollection(parseJson('collection', sent)) as CollectionCreate;
}

async function previewNew(
  db: ContentDb,
  body: CollectionCreate,
  file: EntryFile,
  options: Parameters<typeof previewImport>[3],
): Promise<ImportResult> {
  const collection = await checkCollection(db, body);
  const report = await previewImport(db, { ...collection, id: 0 }, file, options);
  const { slug, name, fields } = collection;
  return { ...report, collection: { slug, name, fields: [...fields] } };
}

async function presentNew({ tx }: Change, collection: StoredCollection) {
  return presentCollection(tx, collection, false);
}

/** Room for the other fields of a form, in bytes. */
const maxFormBytes = 2 ** 20;

const importErrors: readonly ErrorCode[] = [
  'common.invalid',
  'common.notFound',
  'common.tooLarge',
  'csv.cellError',
  'csv.rowError',
  'csv.errors',
  'csv.syntax',
  'csv.tooManyRows',
  'csv.singleton',
  'auth.unsafeHtml',
];
