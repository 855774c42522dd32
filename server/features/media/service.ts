import { setImmediate as nextTurn } from 'node:timers/promises';
import { computeFileAddresses, type FileAddresses } from '../../../runtime/files/file-object.ts';
import { collectFaults, invalid, requireText } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import type { KindRegistry } from '../../content/kinds/registry.ts';
import { listUsage } from '../../content/kinds/usage.ts';
import type { ContentDb } from '../../db/tables.ts';
import { requireFolder } from './folders/service.ts';
import type { MediaLibrary } from './library.ts';
import { File, FileChange, FileListQuery, FileUpdate, NewFile, type StoredFile } from './model.ts';
import { addressNames } from './naming.ts';
import { createReplacement } from './replacement.ts';
import * as store from './store.ts';
import { fileTrash } from './trash.ts';
import { findFormat } from './types.ts';

export type FileKind = Kind<StoredFile, typeof NewFile, typeof FileUpdate>;

/** An uploaded file. Its bytes are in the storage before its row, and until its row and the trash are rid of it. */
export function fileKind(
  library: MediaLibrary,
  onStored: (file: StoredFile) => void,
  registry: KindRegistry,
): FileKind {
  const kind: FileKind = {
    name: 'file',
    path: '/files',
    noun: 'a file',
    about: 'Uploaded files: images, documents, videos.',
    schemas: { create: NewFile, update: FileUpdate, answer: File },
    endpoints: ['delete'],
    list: {
      summary: 'List files, newest first',
      query: FileListQuery,
      entry: File,
      read: async (db, query: FileListQuery) => (await store.listFiles(db, query)).files.map(presentFile),
    },
    find: store.files.find,
    faultsIn: (db, { name, folder_id }) =>
      collectFaults([
        () => name !== undefined && requireText('name', name),
        () => folder_id !== undefined && requireFolder(db, folder_id),
      ]),
    async create(change, { extension, path, ...body }) {
      const { tx, now } = change;
      const file = {
        ...body,
        path: path === undefined ? await freePath(tx, body.name, extension) : await claimPath(tx, path),
        focus_x: 0.5,
        focus_y: 0.5,
        created_at: now,
        updated_at: now,
      };
      const stored = { id: await store.files.insert(tx, file), ...file };
      change.after(() => onStored(stored));
      return stored;
    },
    merge: async (_change, before, body) => ({ ...before, ...body }),
    async write(change, after, before) {
      const { tx } = change;
      await store.files.update(tx, after);
      const isReplaced = after.content !== before.content;
      const isMoved = after.focus_x !== before.focus_x || after.focus_y !== before.focus_y;
      const crops = isReplaced || isMoved ? await library.crops(tx, before) : [];
      if (isMoved) await store.removeCrops(tx, before.content);
      if (isReplaced) change.after(() => onStored(after));
      if (isReplaced) change.after(() => void library.drop(before, crops));
      else if (isMoved) change.after(() => void library.dropCrops(before, crops));
      return after;
    },
    async remove(change, file) {
      await store.files.remove(change.tx, file.id);
    },
    rights: { code: [] },
    namesOf: ({ name }) => ({ name }),
    present: async (file) => presentFile(file),
    // Only the fields: a content comes as a form, and a file has no state to conflict with.
    batch: {
      ops: ['update', 'delete'],
      idFields: ['folder_id'],
      ignoresBase: true,
      more: { replace: createReplacement({ findKind: () => withContent(kind), library, onStored }) },
    },
    usage: {
      targets: async (_db, { id, path }) => [
        { kind: 'file', key: String(id) },
        { kind: 'media', key: path },
      ],
    },
    trash: { ...fileTrash(library, onStored), present: presentDeleted },
    tables: ['files'],
    bundle: { ownColumns: ['content', 'variants', 'avif'], faultIn: faultInFiles },
  };
  return kind;

  async function presentDeleted(db: ContentDb, file: StoredFile): Promise<object> {
    return { ...presentFile(file), usage: await listUsage(db, kind, file, registry.byName) };
  }
}

/** The same kind for a change of the content, which no client can send as JSON. */
export function withContent(kind: FileKind): Kind<StoredFile, typeof NewFile, typeof FileChange> {
  return {
    ...kind,
    schemas: { ...kind.schemas, update: FileChange },
    merge: async (_change: Change, before: StoredFile, body: FileChange) => ({ ...before, ...body }),
  };
}

/** Names that `freePath` gives; no other row may name an address. */
const pathPattern = /^[a-z0-9_-]{1,100}\.[a-z0-9]{1,11}$/;
const mimePattern = /^[a-z0-9][a-z0-9.+-]{0,99}\/[a-z0-9][a-z0-9.+-]{0,99}$/;

/** What an upload stores of an image. */
const placeholderPattern = /^(?:|data:image\/webp;base64,[A-Za-z0-9+/]{0,500}={0,2})$/;

async function faultInFiles(db: ContentDb): Promise<string | undefined> {
  for (let after = 0; ; await nextTurn()) {
    const files = await store.listFilesAfter(db, after, filesPerSlice);
    for (const file of files) {
      const field = wrongFieldOf(file);
      if (field !== undefined) return `file ${file.id}: ${field} has a value that is not possible`;
    }
    const last = files.at(-1);
    if (last === undefined) return undefined;
    after = last.id;
  }
}

/** A field that no upload could have made. */
function wrongFieldOf(file: StoredFile): string | undefined {
  const { path, mime, size, width, height, format, placeholder } = file;
  const isLength = (pixels: number | null) => pixels === null || (pixels > 0 && pixels <= maxPixels);
  if (!pathPattern.test(path)) return 'path';
  if (!mimePattern.test(mime)) return 'mime';
  if (size < 0) return 'size';
  if (!isLength(width) || !isLength(height)) return 'width or height';
  if (format !== '' && format !== findFormat(mime)) return 'format';
  return placeholderPattern.test(placeholder) ? undefined : 'placeholder';
}

const maxPixels = 1_000_000;
const filesPerSlice = 200;

/** A file as the API shows it. */
export function presentFile(stored: StoredFile): File {
  const { content: _c, format: _f, animated: _a, avif: _v, ...file } = stored;
  const { url, ...sets }: FileAddresses = computeFileAddresses(stored);
  return { ...file, url, ...sets };
}

/** Whether there is a file with this ID. */
export async function hasFile(db: ContentDb, id: number): Promise<boolean> {
  return (await store.files.find(db, id)) !== undefined;
}

/** The ID of the file that an import has found at an address, the newest of several. */
export async function findImportedFile(db: ContentDb, address: string): Promise<number | undefined> {
  return address === '' ? undefined : store.findIdBySource(db, address);
}

/** @throws ApiError `common.invalid` unless the ID is 0 or that of an image */
export async function requireImage(db: ContentDb, field: string, id: number): Promise<void> {
  if (id === 0) return;
  const file = await store.files.find(db, id);
  if (file === undefined) throw invalid(field, `must be 0 or the ID of an image file, not ${id}`);
  if (file.kind !== 'image') throw invalid(field, `must be an image: file ${id} is ${file.mime}`);
}

/** Whether the ID is that of an image file. */
export async function isImage(db: ContentDb, id: number): Promise<boolean> {
  return (await store.files.find(db, id))?.kind === 'image';
}

/** @throws ApiError `common.invalid` for an address that another file has, or that no file can have */
async function claimPath(db: ContentDb, path: string): Promise<string> {
  if (!pathPattern.test(path)) throw invalid('url', 'must be the address of a file, such as /media/a.png');
  if ((await store.findFileByPath(db, path)) !== undefined)
    throw invalid('url', 'is the address of another file');
  return path;
}

async function freePath(db: ContentDb, name: string, extension: string): Promise<string> {
  for (const path of addressNames(name, extension)) {
    if ((await store.findFileByPath(db, path)) === undefined) return path;
  }
  // The names never end.
  throw new Error(`there is no free address for ${name}`);
}

/** Files whose name or alt text contains a text, newest first. */
export async function searchFiles(
  db: ContentDb,
  text: string,
  limit: number,
): Promise<readonly StoredFile[]> {
  return (await store.listFiles(db, { q: text, limit })).files;
}
