import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createGunzip, gunzip, gzip } from 'node:zlib';
import type { ActivityStore } from '../../../db/activity.ts';
import type { ActivityDb } from '../../../db/tables.ts';
import { type AllocationList, ListError, ListParser, listText } from './list.ts';
import type { Registry } from './registries.ts';
import * as store from './store.ts';
import { CountryTable } from './table.ts';

/** A file with a list, and what its server said of it. */
export interface ListFile {
  readonly path: string;
  /** The registry that it must be of. */
  readonly registry?: Registry;
  readonly etag: string;
  readonly lastModified: string;
}

/** Largest list in bytes, without its compression; the largest has 20 MB. */
const maxTextBytes = 256 * 2 ** 20;

/**
 * Reads files and stores their lists: all or none.
 *
 * @param now Unix seconds
 * @throws ListError with the reason
 */
export async function importLists(
  database: Pick<ActivityStore, 'write'>,
  files: readonly ListFile[],
  now: number,
): Promise<void> {
  const lists: store.NewList[] = [];
  for (const file of files) {
    const list = await readList(file.path);
    const { registry, v4, v6 } = list;
    if (file.registry !== undefined && registry !== file.registry)
      throw new ListError(`it is the list of ${registry}`);
    if (lists.some(({ rir }) => rir === registry)) throw new ListError(`there are two lists of ${registry}`);
    const data = (await promisify(gzip)(listText(list))).toString('base64');
    const { etag, lastModified: last_modified } = file;
    const ranges = v4.length + v6.length;
    lists.push({ rir: registry, ranges, updated_at: now, checked_at: now, etag, last_modified, data });
  }
  await database.write(async (db) => {
    for (const list of lists) await store.saveList(db, list);
  });
}

/** The table of all stored lists; undefined if there are none. */
export async function loadTable(db: ActivityDb): Promise<CountryTable | undefined> {
  const lists: AllocationList[] = [];
  for (const data of await store.listData(db)) {
    const text = await promisify(gunzip)(Buffer.from(data, 'base64'));
    const parser = new ListParser();
    for (let start = 0; start < text.length; start += pieceBytes) {
      parser.add(text.subarray(start, start + pieceBytes).toString('latin1'));
      await nextTurn();
    }
    lists.push(parser.finish());
  }
  return lists.length === 0 ? undefined : new CountryTable(lists);
}

/** What is read at once; others get their turn in between. */
const pieceBytes = 256 * 2 ** 10;

/** @throws ListError */
async function readList(path: string): Promise<AllocationList> {
  const parser = new ListParser();
  let bytes = 0;
  try {
    for await (const part of await openText(path)) {
      const text: Buffer = part;
      bytes += text.length;
      if (bytes > maxTextBytes) throw new ListError(`it has more than ${maxTextBytes} bytes`);
      parser.add(text.toString('latin1'));
      await nextTurn();
    }
  } catch (error) {
    throw isDamaged(error) ? new ListError('its compression is damaged') : error;
  }
  return parser.finish();
}

/** The text of a file that may be compressed with gzip. */
async function openText(path: string): Promise<Readable> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
  await file.close();
  const source = createReadStream(path);
  if (bytesRead < 2 || buffer[0] !== 0x1f || buffer[1] !== 0x8b) return source;
  const text = createGunzip();
  source.on('error', (error) => text.destroy(error));
  return source.pipe(text);
}

function isDamaged(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
