import { findContentOverlay } from '../base/content-overlay.ts';
import type { VersionSource } from '../http/responses/version-source.ts';
import { VersionedCache } from '../http/responses/versioned-cache.ts';
import { Reply } from './reply.ts';

const maxBytes = 32 * 2 ** 20;

/**
 * The part of the cache for serialised responses that depend on content only. Loading and serialising a list of pages
 * costs far more than sending it, and content changes much less often than it is read.
 *
 * A key must differ between different responses of all routes that use this part. The caller is not part of it.
 */
export class JsonResponseCache {
  readonly #replies: VersionedCache<Reply>;

  constructor(version: VersionSource) {
    this.#replies = new VersionedCache(version, maxBytes, bytesOf);
  }

  /** The result of `make` as JSON. After a change of content `make` is called again. */
  json(key: string, make: () => Promise<unknown>): Reply | Promise<Reply> {
    return this.reply(key, async () => Reply.jsonBytes(await make()));
  }

  /** Like `json`, for a response that `make` serialises itself. */
  reply(key: string, make: () => Promise<Reply>): Reply | Promise<Reply> {
    if (findContentOverlay() !== undefined) return make();
    return this.#replies.take({ partition: '', address: key }, make);
  }
}

/** Of a long list only its compressed bytes count, because only these are in memory. */
function bytesOf({ body, compressed }: Reply): number {
  return body?.length ?? compressed?.gzip.length ?? 0;
}
