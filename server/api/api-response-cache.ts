import type { ApiResponse } from '../http/api-exchange.ts';
import { BodyParts } from '../http/body/parts.ts';
import type { VersionSource } from '../http/responses/version-source.ts';
import { VersionedCache } from '../http/responses/versioned-cache.ts';

const maxBytes = 32 * 2 ** 20;

/** Who asks, as far as a response may depend on it: somebody without a credential, or with one. */
export type Caller = 'anyone' | 'known';

/**
 * The part of the cache for complete responses of the API that are written at once, like a cached page: no promise, no
 * search for the route, no validation.
 *
 * - Key: path and query as sent, and whether the caller has a credential.
 * - A response is stored only if it depends on nothing but these and the content (`Reply.cacheUntilChange`).
 * - A response in parts, or a compressed one, is not stored: it is long, so the rest of its way does not count.
 */
export class ApiResponseCache {
  readonly #responses: VersionedCache<ApiResponse>;

  constructor(version: VersionSource) {
    this.#responses = new VersionedCache(version, maxBytes, ({ body }) => body?.length ?? 0);
  }

  /** To be passed to {@link set}. */
  version(): number {
    return this.#responses.version();
  }

  /** @param address see {@link toAddress} */
  get(caller: Caller, address: string): ApiResponse | undefined {
    return this.#responses.get({ partition: caller, address });
  }

  /** @param since what {@link version} was when the request began */
  set(caller: Caller, address: string, response: ApiResponse, since: number): void {
    const { status, body, compressed } = response;
    if (status !== 200 || body instanceof BodyParts || compressed !== undefined) return;
    this.#responses.set({ partition: caller, address }, response, since);
  }
}

/** Path and query of a request in one text. */
export function toAddress({ path, query }: { readonly path: string; readonly query: string }): string {
  return `${path}?${query}`;
}
