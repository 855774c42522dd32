import { LRUCache } from 'lru-cache';
import type { ContentVersion } from '../changes/content-version.ts';
import { Reply } from './reply.ts';

/** Size limit in bytes. The least recently used answers are removed first. */
const maxBytes = 32 * 2 ** 20;

/**
 * Cache of serialised answers that depend on content only. Loading and serialising a list of pages costs far
 * more than sending it, and content changes much less often than it is read.
 *
 * - Key: must differ between different answers of all routes that use the memo. The caller is not part of it.
 * - Dependencies: the content version. When it moves, all entries are removed.
 * - An answer is stored only if the version is still the version at which its computation began.
 * - Equal requests at one version share one computation; failures are not stored.
 */
export class AnswerMemo {
  readonly #version: ContentVersion;
  readonly #answers = new LRUCache<string, Reply>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => (body?.length ?? 0) + key.length + 100,
  });
  readonly #running = new Map<string, Promise<Reply>>();

  constructor(version: ContentVersion) {
    this.#version = version;
  }

  /** To be called when the version has moved. */
  clear(): void {
    this.#answers.clear();
    this.#running.clear();
  }

  /** The result of `make` as JSON. After a change of content `make` is called again. */
  json(key: string, make: () => Promise<unknown>): Reply | Promise<Reply> {
    return this.reply(key, async () => Reply.jsonBytes(await make()));
  }

  /** Like `json`, for an answer that `make` serialises itself. */
  reply(key: string, make: () => Promise<Reply>): Reply | Promise<Reply> {
    const shared = this.#answers.get(key) ?? this.#running.get(key);
    if (shared !== undefined) return shared;
    const since = this.#version.current();
    const answer = this.#make(key, since, make);
    // `make` may have moved the version itself.
    if (this.#version.current() === since) this.#running.set(key, answer);
    return answer;
  }

  async #make(key: string, since: number, make: () => Promise<Reply>): Promise<Reply> {
    try {
      const reply = await make();
      if (this.#version.current() === since) this.#answers.set(key, reply);
      return reply;
    } finally {
      // After the version has moved, an entry of this key belongs to a newer version.
      if (this.#version.current() === since) this.#running.delete(key);
    }
  }
}
