import Type from 'typebox';
import { mediaUrl } from '../../../runtime/files/addresses.ts';
import { type SigningKey, sign, signatureFor } from '../../../runtime/files/signature.ts';
import { Reply } from '../../api/reply.ts';
import { defineRoute, type Route } from '../../api/route.ts';
import { unixSeconds } from '../../base/clock.ts';
import { IdParams } from '../../content/common-fields.ts';
import { requireObject, updateObject } from '../../content/kinds/objects.ts';
import { listUsage } from '../../content/kinds/usage.ts';
import type { SharedServices } from '../../feature.ts';
import { nameOpener } from '../auth/openers.ts';
import {
  File,
  FileListQuery,
  FileUpdate,
  FileWithUsage,
  ReplaceForm,
  SignedUrl,
  SignedUrlCreate,
  UploadForm,
} from './model.ts';
import { type FileKind, presentFile } from './service.ts';
import { listFiles } from './store.ts';
import type { Uploads } from './uploads.ts';

export interface FileRoutesDeps
  extends Pick<
    SharedServices,
    'clock' | 'reader' | 'snapshots' | 'answers' | 'changes' | 'registry' | 'backlog'
  > {
  readonly kind: FileKind;
  readonly uploads: Uploads;
  readonly signingKey: SigningKey;
}

/** The endpoints of files that are not those of every kind. */
export function fileRoutes(deps: FileRoutesDeps): Route[] {
  const { kind, uploads, signingKey, clock, reader, snapshots, answers, changes, registry, backlog } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/files',
      access: 'read',
      needs: 'objects',
      summary: 'List files, newest first; the header `X-Total-Count` is the number of all that fit',
      query: FileListQuery,
      countsAll: true,
      response: Type.Array(File),
      handle: ({ query }) =>
        answers.reply(`/files?${JSON.stringify(query)}`, () =>
          snapshots.read(async (db) => {
            const { files, count } = await listFiles(db, query);
            return Reply.json(files.map(presentFile), { headers: [['X-Total-Count', String(count)]] });
          }),
        ),
    }),
    defineRoute({
      method: 'POST',
      path: '/files',
      access: 'write',
      needs: { action: 'publish', kind: 'file' },
      summary: 'Upload one file, or several: all of them are stored, or none',
      upload: UploadForm,
      response: Type.Union([File, Type.Array(File)]),
      status: 201,
      errors: uploadErrors,
      handle: async ({ actor, receive }) => {
        const stored = (await uploads.create(actor, receive)).map(presentFile);
        return stored.length === 1 ? stored[0] : stored;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/files/{id}',
      access: 'read',
      needs: 'objects',
      summary: 'Get a file with the objects that refer to it',
      params: IdParams,
      response: FileWithUsage,
      handle: ({ params: { id } }) =>
        answers.json(`/files/${id}`, async () => {
          await backlog.done();
          const file = await requireObject(kind, reader, id);
          return { ...presentFile(file), usage: await listUsage(reader, kind, file, registry.byName) };
        }),
    }),
    defineRoute({
      method: 'PUT',
      path: '/files/{id}',
      access: 'write',
      needs: { action: 'publish', kind: 'file', hasCopy: true },
      summary: 'Change fields of a file (JSON), or replace its content (form)',
      params: IdParams,
      body: FileUpdate,
      upload: ReplaceForm,
      moreFaults: async (fields) => (await kind.faultsIn?.(reader, fields, undefined)) ?? [],
      response: File,
      errors: uploadErrors,
      handle: async ({ actor, params: { id }, body, receive }) =>
        presentFile(
          receive === undefined
            ? await changes.change(actor, (change) => updateObject(change, kind, id, body))
            : await uploads.replace(actor, id, receive),
        ),
    }),
    defineRoute({
      method: 'POST',
      path: '/files/{id}/signed-url',
      access: 'read',
      needs: 'objects',
      summary: 'Make an address that opens a private file for a time',
      params: IdParams,
      body: SignedUrlCreate,
      bodyOptional: true,
      response: SignedUrl,
      handle: async ({ actor, params: { id }, body: { ttl = 3600 } }) => {
        const file = await requireObject(kind, reader, id);
        const exp = unixSeconds(clock) + ttl;
        const terms = { path: file.path, exp, opener: nameOpener(actor) };
        const url = mediaUrl(file, signatureFor(signingKey, terms));
        return { url, exp, sig: sign(signingKey, terms), expires_at: exp };
      },
    }),
  ];
}

const uploadErrors = [
  'common.invalid',
  'common.contentType',
  'common.invalidForm',
  'common.storageFull',
  'file.missing',
  'file.tooLarge',
  'file.imageInvalid',
] as const;
