import type { Readable } from 'node:stream';
import type { SigningKey } from '../../../runtime/files/signature.ts';
import { type StartTimer, startTimer } from '../../base/timers.ts';
import { isBeingBackedUp } from '../../db/lock.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import type { ImagePool } from '../../processes/index.ts';
import type { Staging } from '../../storage/staging.ts';
import type { MediaStorage } from '../../storage/storage.ts';
import type { FindOpener } from '../auth/openers.ts';
import type { Auth } from '../auth/service.ts';
import { MediaContents } from './contents.ts';
import { countDownloads } from './delivery/downloads.ts';
import { type LocalCopy, MediaDelivery, type PublicObject } from './delivery/index.ts';
import { faviconAddress } from './favicon.ts';
import { folderKind } from './folders/service.ts';
import { MediaLibrary } from './library.ts';
import { fileRoutes } from './routes.ts';
import { type FileKind, fileKind } from './service.ts';
import { listPaths, listPending } from './store.ts';
import { Uploads } from './uploads.ts';
import { VariantJobs } from './variant-jobs.ts';

export interface MediaOptions {
  readonly storage: MediaStorage;
  readonly staging: Staging;
  readonly auth: Pick<Auth, 'authenticate'>;
  readonly signingKey: SigningKey;
  readonly findOpener: FindOpener;
  readonly images: ImagePool;
  /** Default: the timers of the system. */
  readonly later?: StartTimer | undefined;
}

/** Finds public files by their addresses, for a document that contains them. */
export type FindMedia = (addresses: readonly string[]) => Promise<readonly LocalCopy[]>;

/** Public files as copies of them need them. */
export interface PublicMedia {
  /** The object that an address below /media/ shows. */
  find(address: string): Promise<PublicObject | 'missing' | 'private'>;
  /** The paths of all files below /media/, in slices, and whether they are private. The connection must be in a transaction. */
  list(db: ContentDb): AsyncIterable<readonly { readonly path: string; readonly isPrivate: boolean }[]>;
  /** Opens an object for reading; undefined if it is gone. */
  open(key: PublicObject['key']): Promise<Readable | undefined>;
}

export interface MediaFeature extends Feature {
  readonly kind: FileKind;
  readonly uploads: Pick<Uploads, 'storeLocal' | 'storeStaged' | 'replaceStaged'>;
  readonly findMedia: FindMedia;
  readonly publicMedia: PublicMedia;
  readonly contents: MediaContents;
}

/** All files in one archive of a page. */
const maxArchiveBytes = 32 * 2 ** 20;

/** Files in one form; the specification has no number. */
const maxFilesPerUpload = 100;

/** Uploaded files, their folders and their delivery (Core, "Public non-API routes"). */
export async function mediaFeature(
  parts: SharedServices,
  { storage, staging, auth, signingKey, findOpener, images, later = startTimer }: MediaOptions,
): Promise<MediaFeature> {
  const { config, reader, log, clock } = parts;
  const library = new MediaLibrary({
    storage,
    reader,
    log,
    clock,
    isShared: parts.nodeState !== undefined,
    isBeingBackedUp: () => isBeingBackedUp(config.dataDir),
    later,
  });
  const jobs = new VariantJobs({ ...parts, images, storage, staging });
  const kind = fileKind(library, (file) => jobs.enqueue([file]), parts.registry);
  const limits = { maxFileBytes: config.maxUploadMb * 2 ** 20, maxFiles: maxFilesPerUpload };
  const uploads = new Uploads({ ...parts, kind, library, staging, images, limits, avif: config.avif });
  const delivery = new MediaDelivery({ ...parts, storage, jobs, auth, signingKey, findOpener });
  const favicon = faviconAddress(parts, delivery);

  let isOpen = true;
  const recovery = recover();
  return {
    kinds: [folderKind, kind],
    routes: fileRoutes({ ...parts, kind, uploads, signingKey }),
    addresses: {
      media: countDownloads((request) => delivery.answer(request), parts.visits.downloaded),
      'favicon.ico': favicon.answer,
    },
    followers: [{ of: ['file'], refresh: ({ changes }) => delivery.refresh(changes) }, favicon.follower],
    kind,
    uploads,
    findMedia: (addresses) => delivery.localCopies(addresses, maxArchiveBytes),
    publicMedia: {
      find: (address) => delivery.publicObject(address),
      list: listPaths,
      open: async (key) => (await storage.open(key))?.body,
    },
    contents: new MediaContents({ storage, library, jobs }),
    async close() {
      isOpen = false;
      library.close();
      await jobs.close();
      await recovery;
    },
  };

  /** What a crash has left: variants that are not written, objects of files that were never stored. */
  async function recover(): Promise<void> {
    try {
      jobs.enqueue(await listPending(reader));
      await library.sweep(() => isOpen);
    } catch (error) {
      log.error({ err: error }, 'the media folder could not be looked through');
    }
  }
}
