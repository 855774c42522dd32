import Type from 'typebox';
import type { Form } from '../../api/multipart/multipart.ts';
import { Reply } from '../../api/reply.ts';
import { defineRoute, type Route } from '../../api/route.ts';
import { invalid } from '../../base/errors.ts';
import type { SharedServices } from '../../feature.ts';
import { slicedCsv } from '../../http/csv/write.ts';
import type { NotFoundLog } from '../notfound/service.ts';
import { exportedRows } from './export.ts';
import type { RedirectHits } from './hits.ts';
import { importRedirects, previewImport, readRedirectFile } from './import.ts';
import { ImportForm, ImportQuery, ImportReport, SiteQuery } from './model.ts';

/** Largest size of an import file, in bytes. */
const maxImportBytes = 8 * 2 ** 20;

/** Export and import of the redirects of a website. */
export function redirectRoutes(
  { snapshots, changes, streamInThread }: Pick<SharedServices, 'snapshots' | 'changes' | 'streamInThread'>,
  hits: RedirectHits,
  notFound: NotFoundLog,
): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/redirects/export',
      access: 'read',
      needs: 'objects',
      summary: 'Export open dead addresses and redirects as CSV',
      query: SiteQuery,
      response: Type.String(),
      produces: 'text/csv',
      errors: ['common.notFound'],
      handle: async ({ query }) =>
        Reply.text(
          await snapshots.read((db) => slicedCsv(exportedRows(db, hits, notFound, query.root_id))),
          csvType,
          { headers: [['Content-Disposition', 'attachment; filename="redirects.csv"']] },
        ),
    }),
    defineRoute({
      method: 'POST',
      path: '/redirects/import',
      access: 'write',
      needs: { action: 'publish', kind: 'redirect' },
      summary: 'Import redirects from CSV, all or nothing',
      query: ImportQuery,
      body: ImportForm,
      form: { maxBytes: maxImportBytes, maxFiles: 1 },
      response: ImportReport,
      errors: ['common.notFound', 'csv.errors', 'csv.columnMissing', 'csv.syntax', 'csv.tooManyRows'],
      handle: async ({ actor, query, form }) => {
        const file = await readRedirectFile(fileOf(form), streamInThread);
        const options = { rootId: query.root_id, deleteOthers: query.delete ?? false };
        if (query.dry_run === true) return snapshots.read((db) => previewImport(db, file, options));
        return changes.change(actor, (c) => importRedirects(c, file, options));
      },
    }),
  ];
}

const csvType = 'text/csv; charset=utf-8';

function fileOf(form: Form): Uint8Array {
  const file = form.files.find(({ field }) => field === 'file');
  if (file === undefined) throw invalid('file', 'is required');
  return file.bytes;
}
