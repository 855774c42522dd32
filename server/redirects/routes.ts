import Type from 'typebox';
import type { Changes } from '../change.ts';
import type { ContentDb } from '../db/tables.ts';
import { invalid } from '../errors.ts';
import type { Form } from '../http/multipart.ts';
import { Reply } from '../http/reply.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { IdParams } from '../model.ts';
import type { NotFoundLog } from '../notfound/service.ts';
import { exportRedirects } from './export.ts';
import type { RedirectHits } from './hits.ts';
import { importRedirects, previewImport, readRedirectFile } from './import.ts';
import {
  ImportForm,
  ImportQuery,
  ImportReport,
  Redirect,
  RedirectCreate,
  RedirectListEntry,
  RedirectUpdate,
  SiteQuery,
} from './model.ts';
import * as redirects from './service.ts';

export interface RedirectRoutesDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly hits: RedirectHits;
  readonly notFound: NotFoundLog;
}

/** A file of an import may have so many bytes. */
const maxImportBytes = 8 * 2 ** 20;

/** Redirects of a website (Core, "Redirects and 404 log"). */
export function redirectRoutes(deps: RedirectRoutesDeps): Route[] {
  const { reader, changes, hits } = deps;
  const { change } = changes;
  return [
    defineRoute({
      method: 'GET',
      path: '/redirects',
      access: 'read',
      summary: 'List the redirects of a website, sorted by path',
      query: SiteQuery,
      response: Type.Array(RedirectListEntry),
      errors: ['common.notFound'],
      handle: ({ query }) => redirects.listRedirects(reader, hits, query.root_id),
    }),
    defineRoute({
      method: 'POST',
      path: '/redirects',
      access: 'write',
      summary: 'Create a redirect',
      body: RedirectCreate,
      response: Redirect,
      errors: ['common.notFound', 'redirect.sourceTaken', 'redirect.loop'],
      status: 201,
      handle: async ({ actor, body }) =>
        redirects.present(await change(actor, (c) => redirects.createRedirect(c, body))),
    }),
    defineRoute({
      method: 'PUT',
      path: '/redirects/{id}',
      access: 'write',
      summary: 'Change fields of a redirect',
      params: IdParams,
      body: RedirectUpdate,
      response: Redirect,
      errors: ['common.notFound', 'redirect.sourceTaken', 'redirect.loop'],
      handle: async ({ actor, params, body }) => {
        const redirect = await change(actor, (c) => redirects.updateRedirect(c, params.id, body));
        return redirects.present(redirect, await hits.ofRedirect(redirect.id));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/redirects/{id}',
      access: 'write',
      summary: 'Delete a redirect',
      params: IdParams,
      errors: ['common.notFound'],
      handle: ({ actor, params }) => change(actor, (c) => redirects.deleteRedirect(c, params.id)),
    }),
    ...fileRoutes(deps),
  ];
}

function fileRoutes({ reader, changes, hits, notFound }: RedirectRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/redirects/export',
      access: 'read',
      summary: 'Export open dead addresses and redirects as CSV',
      query: SiteQuery,
      response: Type.String(),
      produces: 'text/csv',
      errors: ['common.notFound'],
      handle: async ({ query }) =>
        Reply.text(await exportRedirects(reader, hits, notFound, query.root_id), csvType, {
          headers: [['Content-Disposition', 'attachment; filename="redirects.csv"']],
        }),
    }),
    defineRoute({
      method: 'POST',
      path: '/redirects/import',
      access: 'write',
      summary: 'Import redirects from CSV, all or nothing',
      query: ImportQuery,
      body: ImportForm,
      form: { maxBytes: maxImportBytes, maxFiles: 1 },
      response: ImportReport,
      errors: ['common.notFound', 'csv.errors', 'csv.columnMissing', 'csv.syntax', 'csv.tooManyRows'],
      handle: async ({ actor, query, form }) => {
        const file = await readRedirectFile(fileOf(form));
        const options = { rootId: query.root_id, deleteOthers: query.delete === '1' };
        if (query.dry_run === '1') return previewImport(reader, file, options);
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
