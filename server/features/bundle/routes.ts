import Type from 'typebox';
import { Reply } from '../../api/reply.ts';
import { defineRoute, type Input, type Route } from '../../api/route.ts';
import type { Actor } from '../../base/actor.ts';
import { apiError } from '../../base/errors.ts';
import { notAllowed } from '../../base/refusals/refusal.ts';
import { allows } from '../../base/rights.ts';
import { limitReads } from '../../db/readable-rows.ts';
import type { SharedServices } from '../../feature.ts';
import { StreamedBody } from '../../http/body/streamed.ts';
import type { StagedFile, Staging } from '../../storage/staging.ts';
import {
  Archive,
  Backup,
  BackupParams,
  BundleForm,
  BundleFormats,
  BundleInfo,
  ExportQuery,
  folderFormats,
  ImportQuery,
  ImportReport,
} from './model.ts';
import { archiveType, type Bundles } from './service.ts';

interface BundleRoutesDeps extends Pick<SharedServices, 'build'> {
  readonly bundles: Bundles;
  readonly staging: Staging;
  /** Whether nobody can sign in. */
  isHeadless(): boolean;
}

const importErrors = ['bundle.invalid', 'bundle.tooLarge', 'common.storageFull', 'common.busy'] as const;

export function bundleRoutes(deps: BundleRoutesDeps): Route[] {
  return [...exchangeRoutes(deps), ...backupRoutes(deps)];
}

function exchangeRoutes({ bundles, staging, build, isHeadless }: BundleRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/bundle/info',
      access: 'read',
      needs: 'read',
      summary: 'What a bundle of this instance would be; without the right `settings` only its formats',
      response: Type.Union([BundleInfo, BundleFormats]),
      async handle({ actor }) {
        const formats = { schema: bundles.schema, folder_formats: [...folderFormats] };
        if (!mayChangeSettings(actor)) return { version: build.version, ...formats };
        const { hash, counts, schema, updatedAt } = await bundles.state();
        return {
          ...build,
          schema,
          folder_formats: [...folderFormats],
          headless: isHeadless(),
          hash,
          counts,
          updated_at: updatedAt,
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bundle',
      access: 'write',
      needs: 'settings',
      isSensitive: true,
      summary: 'The content of this instance as a ZIP archive',
      query: ExportQuery,
      response: Archive,
      produces: archiveType,
      errors: ['common.storageFull'],
      async handle({ actor, query }) {
        requireReadsAll(actor);
        const { stream, hash } = await bundles.export(query.media ?? true);
        return Reply.stream(
          new StreamedBody(stream, undefined),
          archiveType,
          attachment(`bundle-${hash.slice(0, 12)}.zip`),
        );
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bundle',
      access: 'write',
      needs: 'settings',
      isSensitive: true,
      summary: 'Replace the content of this instance by that of a bundle',
      query: ImportQuery,
      upload: BundleForm,
      uploadTypes: [archiveType, 'application/octet-stream', 'application/x-zip-compressed'],
      response: ImportReport,
      errors: ['bundle.missing', 'common.contentType', 'common.invalidForm', ...importErrors],
      handle: ({ actor, query, receive }) =>
        withArchive(receive, { maxBytes: bundles.maxBytes, staging }, ({ path }) =>
          query.dry_run === true ? bundles.dryRun(path) : bundles.import(actor, path),
        ),
    }),
  ];
}

/** What goes out as a whole needs a caller who may read all of it. @throws ApiError 403 `auth.notAllowed` */
function requireReadsAll({ grants }: Actor): void {
  if (grants !== undefined && limitReads(grants) !== undefined) throw notAllowed({ action: 'read' });
}

function mayChangeSettings(actor: Actor): boolean {
  if (actor.kind === 'token' && !actor.canWrite) return false;
  return actor.grants === undefined || allows(actor.grants, 'settings');
}

function backupRoutes({ bundles }: BundleRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/bundle/backups',
      access: 'write',
      needs: 'settings',
      summary: 'List backups, newest first',
      response: Type.Array(Backup),
      handle: () => bundles.backups.list(),
    }),
    defineRoute({
      method: 'POST',
      path: '/bundle/backups',
      access: 'write',
      needs: 'settings',
      isSensitive: true,
      summary: 'Make a backup',
      response: Backup,
      status: 201,
      errors: ['common.storageFull'],
      handle: ({ actor }) => {
        requireReadsAll(actor);
        return bundles.backUp();
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bundle/backups/{name}',
      access: 'write',
      needs: 'settings',
      isSensitive: true,
      summary: 'Download a backup',
      params: BackupParams,
      response: Archive,
      produces: archiveType,
      async handle({ actor, params: { name } }) {
        requireReadsAll(actor);
        return Reply.stream(await bundles.backups.open(name), archiveType, attachment(name));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bundle/backups/{name}',
      access: 'write',
      needs: 'settings',
      isSensitive: true,
      summary: 'Restore a backup',
      params: BackupParams,
      query: ImportQuery,
      response: ImportReport,
      errors: importErrors,
      handle: ({ actor, params: { name }, query }) =>
        query.dry_run === true ? bundles.dryRestore(name) : bundles.restore(actor, name),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/bundle/backups/{name}',
      access: 'write',
      needs: 'settings',
      isSensitive: true,
      summary: 'Delete a backup',
      params: BackupParams,
      handle: ({ params: { name } }) => bundles.backups.remove(name),
    }),
  ];
}

/** @param name without quotes */
function attachment(name: string) {
  return { headers: [['Content-Disposition', `attachment; filename="${name}"`]] } as const;
}

/** Receives the archive of a request into a temporary file, which is deleted afterwards. */
async function withArchive<T>(
  receive: Input<unknown, unknown, unknown>['receive'],
  { maxBytes, staging }: { readonly maxBytes: number; readonly staging: Staging },
  use: (file: StagedFile) => Promise<T>,
): Promise<T> {
  if (receive === undefined) throw apiError('common.contentType', { expected: archiveType });
  const form = await receive({ maxFileBytes: maxBytes, maxFiles: 1 }, () => staging.create()).catch(
    tooLarge(maxBytes),
  );
  try {
    const file = form.files.find(({ field }) => field === 'file');
    if (file === undefined) throw apiError('bundle.missing', {});
    return await use(file.kept);
  } finally {
    for (const { kept } of form.files) await kept.discard();
  }
}

function tooLarge(max: number): (error: unknown) => never {
  return (error) => {
    const isTooLarge = error instanceof Error && Reflect.get(error, 'code') === 'file.tooLarge';
    throw isTooLarge ? apiError('bundle.tooLarge', { max }) : error;
  };
}
