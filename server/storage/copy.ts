import { copyFile, link } from 'node:fs/promises';
import { apiError } from '../base/errors.ts';
import { OutgoingError } from '../http/outgoing/errors.ts';
import { LocalStorage } from './local.ts';
import type { MediaKey } from './media-key.ts';
import { errorOfOutgoing } from './s3/errors.ts';
import type { StagedFile, Staging } from './staging.ts';
import type { ObjectStore } from './storage.ts';

/** Storages between which objects are copied, and a place for the copies on their way. */
export interface CopyRoute {
  readonly from: ObjectStore;
  readonly to: ObjectStore;
  readonly staging: Staging;
}

/** How often an object is read again when the connection breaks midway. */
const attempts = 3;

/**
 * Copies an object. Returns its size in bytes; undefined if there is no such object.
 *
 * @throws ApiError of the storage, or an error of the file system; the target is then as before
 */
export async function copyObject(
  { from, to, staging }: CopyRoute,
  key: MediaKey,
): Promise<number | undefined> {
  const file =
    from instanceof LocalStorage
      ? await stageLocal(from, key, staging)
      : await stageRemote(from, key, staging);
  if (file === undefined) return undefined;
  try {
    await to.put(key, file);
    return file.size;
  } finally {
    await file.discard();
  }
}

/** A second name for a local file costs no copy. It is not changed under that name, because contents never are. */
async function stageLocal(
  from: LocalStorage,
  key: MediaKey,
  staging: Staging,
): Promise<StagedFile | undefined> {
  const path = await from.localCopy(key);
  if (path === undefined) return undefined;
  const staged = staging.reserve();
  try {
    // Another disk, or a file system without links.
    await link(path, staged).catch(() => copyFile(path, staged));
    return await staging.adopt(staged);
  } catch (error) {
    await staging.release(staged);
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined;
    throw error;
  }
}

async function stageRemote(
  from: ObjectStore,
  key: MediaKey,
  staging: Staging,
): Promise<StagedFile | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await download(from, key, staging);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      if (attempt === attempts) throw errorOfOutgoing(error);
    }
  }
}

async function download(from: ObjectStore, key: MediaKey, staging: Staging): Promise<StagedFile | undefined> {
  const opened = await from.open(key);
  if (opened === undefined) return undefined;
  const writer = await staging.create();
  try {
    for await (const chunk of opened.body) await writer.write(chunk);
  } catch (error) {
    opened.body.destroy();
    await writer.discard();
    throw error;
  }
  const file = await writer.finish();
  if (file.size === opened.size) return file;
  await file.discard();
  throw apiError('storage.checkFailed', {
    error: `${file.size} of ${opened.size} bytes of an object have arrived`,
  });
}
