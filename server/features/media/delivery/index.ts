/**
 * GET /media/... (Core, "Public non-API routes"): files and their variants.
 *
 * Three caches make a small file that is asked for often as cheap as a page:
 *
 *  - what addresses mean: the row of a public file and the key of the response. An entry is valid while the row is
 *    still the one that is kept for its path. Limit: `maxRows`.
 *  - rows by path. Invalidation: a change of the file. Limit: `maxRows`.
 *  - responses with their bytes, by the key of the object and the `updated_at` of its row, so that an entry is never
 *    wrong. Only public files of at most `maxCachedBytes`; `cacheBytes` in all. Whether a file is public is asked
 *    for each request, of the row.
 *
 * Everything else is streamed from the storage, as fast as the client takes it.
 */
import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import type { LoggedChange } from '../../../../runtime/content/change-log.ts';
import { type MediaAddress, readAddress } from '../../../../runtime/files/media-address.ts';
import { findSigner, type SigningKey } from '../../../../runtime/files/signature.ts';
import { unixSeconds } from '../../../base/clock.ts';
import { withReadLimits } from '../../../base/content-overlay.ts';
import type { Grants } from '../../../base/rights.ts';
import { limitReads } from '../../../db/readable-rows.ts';
import type { SharedServices } from '../../../feature.ts';
import { StreamedBody } from '../../../http/body/streamed.ts';
import { nothingThere } from '../../../http/plain-answers.ts';
import type { PublicRequest, PublicResponse } from '../../../http/public-exchange.ts';
import type { CacheKey } from '../../../http/responses/cache-entry.ts';
import { type Conditions, readConditions } from '../../../http/responses/conditions.ts';
import { FileResponse, type FileSource } from '../../../http/responses/file-response.ts';
import { ResponseCache } from '../../../http/responses/response-cache.ts';
import { PoolBusyError } from '../../../processes/pool.ts';
import type { MediaKey } from '../../../storage/media-key.ts';
import type { MediaStorage } from '../../../storage/storage.ts';
import type { FindOpener } from '../../auth/openers.ts';
import type { Auth } from '../../auth/service.ts';
import type { StoredFile } from '../model.ts';
import { originalKey } from '../objects.ts';
import { files, findFileByPath } from '../store.ts';
import type { VariantJobs } from '../variant-jobs.ts';
import { mediaHeaders, type Visibility } from './headers.ts';
import { type Choice, chooseObject, toCacheKey, toEntityTag } from './object-choice.ts';
import { busy, isStorageFailure, unavailable } from './refusals.ts';

export interface MediaDeliveryDeps
  extends Pick<SharedServices, 'reader' | 'version' | 'clock' | 'log' | 'sharing'> {
  readonly storage: MediaStorage;
  readonly jobs: VariantJobs;
  readonly auth: Pick<Auth, 'authenticate'>;
  readonly signingKey: SigningKey;
  readonly findOpener: FindOpener;
}

const maxRows = 10_000;
/** Longer addresses with their queries are read each time: nobody writes them who wants a file. */
const maxTargetLength = 200;
const maxCachedBytes = 512 * 2 ** 10;
const cacheBytes = 64 * 2 ** 20;

/** A file of this machine that holds what an address shows. */
export interface LocalCopy {
  readonly address: string;
  readonly mime: string;
  readonly file: string;
}

/** An object that everybody may see. */
export interface PublicObject {
  readonly key: MediaKey;
  /** In bytes. */
  readonly size: number;
}

/** What an address with its query has meant. It is true as long as the row is still that of its path. */
interface KnownTarget {
  /** A public file whose variants are written. */
  readonly file: StoredFile;
  /** Key of the response. */
  readonly key: CacheKey;
}

export class MediaDelivery {
  readonly #deps: MediaDeliveryDeps;
  readonly #rows = new LRUCache<string, StoredFile>({ max: maxRows });
  readonly #targets = new LRUCache<string, KnownTarget>({ max: maxRows });
  readonly #responses: ResponseCache<FileResponse>;

  constructor(deps: MediaDeliveryDeps) {
    this.#deps = deps;
    this.#responses = new ResponseCache({
      maxBytes: cacheBytes,
      nowMs: () => 0,
      version: deps.version,
      onRemove: ({ shared }) => {
        if (shared !== undefined) deps.sharing?.drop(shared);
      },
    });
  }

  /** Forgets the files that have changed. */
  refresh(changes: readonly LoggedChange[]): void {
    for (const { kind, now, before } of changes) {
      if (kind === 'all') this.#rows.clear();
      if (kind !== 'file') continue;
      for (const { name } of [now, before]) if (name !== null) this.#rows.delete(name);
    }
  }

  /** Answers at once if the bytes are at hand. */
  answer(request: PublicRequest): PublicResponse | Promise<PublicResponse> {
    const target = `${request.path}?${request.query}`;
    const known = this.#targets.get(target);
    if (known !== undefined && this.#rows.get(known.file.path) === known.file) {
      const response = this.#responses.get(known.key);
      if (response !== undefined) return response.respond(readConditions(request), request.method === 'HEAD');
    }
    const address = readAddress(request);
    if (address === undefined) return nothingThere;
    const asked = readRequest(request);
    const file = this.#rows.get(address.path);
    if (file === undefined || file.private || file.variants === 'pending' || address.crop !== undefined)
      return this.#later(address, asked);
    const choice = chooseObject(file, address);
    if (choice === undefined) return nothingThere;
    const key = toCacheKey(file, choice);
    if (target.length <= maxTargetLength) this.#targets.set(target, { file, key });
    const response = this.#responses.get(key);
    return response === undefined
      ? this.#load(file, choice, asked, 'public')
      : response.respond(asked.conditions, asked.isHead);
  }

  /**
   * Reads a request for a file at another address, such as /favicon.ico. The returned function answers it with a
   * whole file, by its ID. Private files are not there.
   */
  plan(request: PublicRequest): (id: number) => Promise<PublicResponse> {
    const asked = readRequest(request);
    return async (id) => {
      const file = await files.find(this.#deps.reader, id);
      if (file === undefined || file.private) return nothingThere;
      return this.#load(file, { key: originalKey(file), mime: file.mime }, asked, 'public');
    };
  }

  /**
   * Local copies of public files and variants, by their addresses. What does not exist, is private, or would make
   * all of them larger than `maxBytes` is left out.
   */
  async localCopies(addresses: readonly string[], maxBytes: number): Promise<LocalCopy[]> {
    const { storage, jobs } = this.#deps;
    const copies: LocalCopy[] = [];
    let bytes = 0;
    for (const address of addresses) {
      const { asked, file } = await this.#findByAddress(address);
      if (asked === undefined || file === undefined || file.private) continue;
      await jobs.ready(file);
      const choice = chooseObject(file, asked);
      const size = choice === undefined ? undefined : (await storage.stat(choice.key))?.size;
      if (choice === undefined || size === undefined || bytes + size > maxBytes) continue;
      const local = await storage.localCopy(choice.key);
      if (local === undefined) continue;
      bytes += size;
      copies.push({ address, mime: choice.mime, file: local });
    }
    return copies;
  }

  /**
   * The object that an address shows to everybody, made if it is a variant that is not written yet.
   *
   * @throws PoolBusyError, or the error of the storage
   */
  async publicObject(address: string): Promise<PublicObject | 'missing' | 'private'> {
    const { storage, jobs } = this.#deps;
    const { asked, file } = await this.#findByAddress(address);
    if (asked === undefined || file === undefined) return 'missing';
    if (file.private) return 'private';
    await jobs.ready(file);
    const { crop } = asked;
    const cropped = crop === undefined ? undefined : await jobs.crop(file, crop.width, crop.height);
    const key = cropped ?? chooseObject(file, asked)?.key;
    const found = key === undefined ? undefined : await storage.stat(key);
    return key === undefined || found === undefined ? 'missing' : { key, size: found.size };
  }

  async #findByAddress(address: string): Promise<{ asked?: MediaAddress; file?: StoredFile | undefined }> {
    const [path = '', query = ''] = address.split('?', 2);
    const asked = readAddress({ path, query });
    return asked === undefined ? {} : { asked, file: await this.#row(asked.path) };
  }

  async #later(address: MediaAddress, asked: MediaRequest): Promise<PublicResponse> {
    const { jobs, log } = this.#deps;
    try {
      let file = await this.#row(address.path);
      if (file === undefined) return nothingThere;
      const visibility: Visibility = file.private ? 'private' : 'public';
      if (file.private && !(await this.#mayRead(file, asked))) return nothingThere;
      if (file.variants === 'pending' && (address.width !== undefined || address.format !== undefined)) {
        await jobs.ready(file);
        file = (await this.#row(address.path)) ?? file;
      }
      const crop =
        address.crop === undefined
          ? undefined
          : await jobs.crop(file, address.crop.width, address.crop.height);
      const choice = crop === undefined ? chooseObject(file, address) : { key: crop, mime: file.mime };
      if (choice === undefined) return nothingThere;
      return await this.#load(file, choice, asked, visibility);
    } catch (error) {
      if (error instanceof PoolBusyError) return busy;
      log.error({ err: error, path: address.path }, 'a file could not be served');
      throw error;
    }
  }

  /** A row that may have changed without a change of content (`pending` to `done`) is not kept. */
  async #row(path: string): Promise<StoredFile | undefined> {
    const known = this.#rows.get(path);
    if (known !== undefined) return known;
    const { reader, version } = this.#deps;
    const since = version.current();
    const file = await findFileByPath(reader, path);
    if (file !== undefined && file.variants !== 'pending' && version.current() === since)
      this.#rows.set(path, file);
    return file;
  }

  /** Core, "Public non-API routes": a session, any token, or a signature whose opener may still read the file. */
  async #mayRead(
    file: StoredFile,
    { query, host, scheme, authorization, cookie }: MediaRequest,
  ): Promise<boolean> {
    const { auth, signingKey, clock, findOpener } = this.#deps;
    const parameters = new URLSearchParams(query);
    const signer = findSigner(signingKey, file.path, parameters, unixSeconds(clock));
    const opener = signer === undefined ? undefined : await findOpener(signer);
    if (opener !== undefined && (await this.#isReadable(file, opener.grants))) return true;
    const headers = new Map(Object.entries({ authorization, cookie }).filter(([, value]) => value !== ''));
    const actor = await auth.authenticate({ method: 'GET', host, scheme, headers }, parameters);
    return actor.kind !== 'none' && this.#isReadable(file, actor.grants);
  }

  async #isReadable({ id }: StoredFile, grants: Grants | undefined): Promise<boolean> {
    const limits = grants && limitReads(grants);
    if (limits === undefined) return true;
    return (await withReadLimits(limits, () => files.find(this.#deps.reader, id))) !== undefined;
  }

  async #load(
    file: StoredFile,
    choice: Choice,
    asked: MediaRequest,
    visibility: Visibility,
  ): Promise<PublicResponse> {
    try {
      return await this.#read(file, choice, asked, visibility);
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      this.#deps.log.warn({ path: file.path, error: error.message }, 'the media storage failed');
      return unavailable;
    }
  }

  async #read(
    file: StoredFile,
    { key, mime }: Choice,
    asked: MediaRequest,
    visibility: Visibility,
  ): Promise<PublicResponse> {
    const { storage, log } = this.#deps;
    const found = await storage.stat(key);
    if (found === undefined) {
      log.error({ path: file.path, key }, 'an object of a file is missing in the storage');
      return nothingThere;
    }
    const { modifiedAt } = found;
    const validators = { tag: toEntityTag(key), modifiedAt };
    const headers = mediaHeaders({ name: file.name, mime }, validators, visibility);
    if (visibility === 'public' && found.size <= maxCachedBytes) {
      const opened = await storage.open(key);
      if (opened === undefined) return nothingThere;
      const read = await buffer(opened.body);
      const bytes = this.#deps.sharing?.keep(read) ?? read;
      return this.#store(toCacheKey(file, { key, mime }), { validators, headers, bytes }).respond(
        asked.conditions,
        asked.isHead,
      );
    }
    const source = { validators, headers, sizeBytes: found.size };
    const response = new FileResponse(source).respond(asked.conditions, asked.isHead);
    if (asked.isHead || response.range === undefined) return response;
    const opened = await storage.open(key, response.range);
    if (opened === undefined) return nothingThere;
    const { start, end } = response.range;
    return { ...response, body: new StreamedBody(opened.body, end - start + 1) };
  }

  /** Creates the responses with a file in memory, and caches them. They stay true, see `toCacheKey`. */
  #store(
    key: CacheKey,
    source: Pick<FileSource, 'validators' | 'headers'> & { readonly bytes: Uint8Array },
  ): FileResponse {
    const expiresAt = Number.POSITIVE_INFINITY;
    const shared = {
      expiresAt,
      used: (count: number) => this.#responses.recordHits(key, response, count),
    };
    const bodyBytes = source.bytes.length;
    const response = new FileResponse({ ...source, sizeBytes: bodyBytes, shared });
    this.#responses.set(key, response, { bodyBytes, reads: nothingChangeable, expiresAt });
    return response;
  }
}

/** Everything that decides about a response, read while the request is valid. */
interface MediaRequest {
  readonly isHead: boolean;
  readonly conditions: Conditions;
  readonly query: string;
  readonly host: string;
  readonly scheme: PublicRequest['scheme'];
  readonly authorization: string;
  readonly cookie: string;
}

function readRequest(request: PublicRequest): MediaRequest {
  const { method, query, host, scheme, cookie } = request;
  const authorization = request.header('authorization');
  return {
    isHead: method === 'HEAD',
    conditions: readConditions(request),
    query,
    host,
    scheme,
    authorization,
    cookie,
  };
}

/** No change of content makes the bytes of an object wrong. */
const nothingChangeable = { seq: Number.POSITIVE_INFINITY, dependencies: undefined };
