import type { Encoding, TaggedBody } from '../../../runtime/tasks/encode.ts';
import type { PublicResponse } from '../public-exchange.ts';
import type { SharedResponse, SharedResponses } from '../shared-responses.ts';
import type { CacheKey, EntryFacts } from './cache-entry.ts';
import { CachedBody } from './cached-body.ts';
import type { CachedResponse } from './cached-response.ts';
import type { Compression } from './compression.ts';
import { ResponseCache, type ResponseCacheOptions } from './response-cache.ts';

/** A value of the cache: one body, with which one or several responses are made. */
export interface EncodedValue {
  readonly body: CachedBody;
  /** Set if threads of the front may give its responses on their own. */
  readonly shared: SharedResponse | undefined;
}

export interface EncodedResponseCacheOptions extends Omit<ResponseCacheOptions<never>, 'onRemove'> {
  readonly compression: Compression;
  readonly sharing: SharedResponses | undefined;
}

/** A part of the cache for bodies that are compressed when clients ask for it, and that threads may share. */
export class EncodedResponseCache<Value extends EncodedValue> extends ResponseCache<Value> {
  readonly #compression: Compression;
  readonly #sharing: SharedResponses | undefined;

  constructor({ compression, sharing, ...options }: EncodedResponseCacheOptions) {
    super({
      ...options,
      onRemove: ({ shared }) => {
        if (shared !== undefined) sharing?.drop(shared);
      },
    });
    this.#compression = compression;
    this.#sharing = sharing;
  }

  /** A response with a cached value, in the coding that the client prefers if there is room to make it. */
  respond(
    key: CacheKey,
    value: Value,
    response: CachedResponse,
    accepted: readonly Encoding[],
    ifNoneMatch: string,
  ): PublicResponse | Promise<PublicResponse> {
    const { body } = value;
    const missing = body.findMissing(accepted);
    if (missing !== undefined && this.#compression.hasRoom && !body.isNamedBy(ifNoneMatch))
      return this.#compression
        .complete(body, missing, () => this.#resizeBody(key, value))
        .then(() => response.respond(accepted, ifNoneMatch));
    if (body.isPopular) this.#improve(key, value);
    return response.respond(accepted, ifNoneMatch);
  }

  /** Creates a value and stores it, unless something that it depends on has changed or it is too large. */
  store(
    key: CacheKey,
    encoded: TaggedBody,
    facts: Omit<EntryFacts, 'bodyBytes'>,
    create: (body: CachedBody, shared: SharedResponse) => Value,
  ): { readonly value: Value; readonly isStored: boolean } {
    const shared = {
      expiresAt: facts.expiresAt,
      used: (count: number) => this.#recordUses(key, value, count),
    };
    const value = create(new CachedBody(encoded, this.#sharing?.keep), shared);
    const isStored = this.set(key, value, { ...facts, bodyBytes: value.body.byteLength });
    return { value, isStored };
  }

  /** Other threads have responded with a cached value. */
  #recordUses(key: CacheKey, value: Value, count: number): void {
    this.recordHits(key, value, count);
    value.body.brotliUses += count;
    if (value.body.isPopular) this.#improve(key, value);
  }

  #improve(key: CacheKey, value: Value): void {
    this.#compression.improve(value.body, () => this.#resizeBody(key, value));
  }

  #resizeBody(key: CacheKey, value: Value): void {
    this.resize(key, value, value.body.byteLength);
    if (value.shared !== undefined) this.#sharing?.drop(value.shared);
  }
}
