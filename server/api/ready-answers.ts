import { LRUCache } from 'lru-cache';
import type { ContentVersion } from '../changes/content-version.ts';
import type { ApiResponse } from '../http/api-exchange.ts';
import { BodyParts } from '../http/body/parts.ts';

/** Size limit in bytes. The least recently used answers are removed first. */
const maxBytes = 32 * 2 ** 20;

/** Who asks, as far as an answer may depend on it: somebody without a credential, or with one. */
export type Caller = 'anyone' | 'known';

/** The answers to one address. */
type ReadyAnswer = { readonly [Kind in Caller]?: ApiResponse };

/**
 * Complete answers of the API that are written at once, like a cached page: no promise, no search for the route, no
 * validation.
 *
 * - Key: path and query as sent, and whether the caller has a credential.
 * - Dependencies: the content version. When it moves, all entries are removed.
 * - An answer is kept only if it depends on nothing else (`Reply.lasting`), and only if the version is still the
 *   version at which its request began.
 * - An answer in parts is not kept: it is long, so the rest of its way does not count.
 */
export class ReadyAnswers {
  readonly #version: ContentVersion;
  readonly #answers = new LRUCache<string, ReadyAnswer>({
    maxSize: maxBytes,
    sizeCalculation: ({ anyone, known }, key) => sizeOf(anyone) + sizeOf(known) + key.length + 100,
  });

  constructor(version: ContentVersion) {
    this.#version = version;
  }

  /** To be called when the version has moved. */
  clear(): void {
    this.#answers.clear();
  }

  /** To be passed to {@link keep}. */
  version(): number {
    return this.#version.current();
  }

  find(path: string, query: string): ReadyAnswer | undefined {
    return this.#answers.size === 0 ? undefined : this.#answers.get(keyOf(path, query));
  }

  /** @param since what {@link version} was when the request began */
  keep(path: string, query: string, caller: Caller, response: ApiResponse, since: number): void {
    if (response.status !== 200 || response.body instanceof BodyParts) return;
    if (this.#version.current() !== since) return;
    const key = keyOf(path, query);
    this.#answers.set(key, { ...this.#answers.peek(key), [caller]: response });
  }
}

function keyOf(path: string, query: string): string {
  return `${path}?${query}`;
}

function sizeOf(response: ApiResponse | undefined): number {
  return response?.body?.length ?? 0;
}
