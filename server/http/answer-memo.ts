import { LRUCache } from 'lru-cache';
import { Reply } from './reply.ts';

/**
 * Serialised answers that depend on content alone. Reading and writing out a list of pages costs far more than
 * sending it, and content changes much less often than it is read.
 *
 * - Key: what distinguishes the answers of all routes that use the memo; never who asks.
 * - Dependencies: the content version. When it has moved, everything is forgotten.
 * - An answer is kept only if the version is still the one its making began with.
 * - Equal questions at one version share one making; failures are not kept.
 */
export interface AnswerMemo {
  /** The JSON of what `make` gives, made anew only when content has changed since. */
  json(key: string, make: () => Promise<unknown>): Reply | Promise<Reply>;
}

/** Bytes of answers that are kept, least recently used ones leaving first. */
const maxBytes = 32 * 2 ** 20;

/** @param contentVersion one Int32, raised by every committed change of content */
export function createAnswerMemo(contentVersion: SharedArrayBuffer): AnswerMemo {
  const version = new Int32Array(contentVersion);
  const answers = new LRUCache<string, Reply>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => (body?.length ?? 0) + key.length + 100,
  });
  const running = new Map<string, Promise<Reply>>();
  let known = Atomics.load(version, 0);

  return {
    json(key, make) {
      forgetOldAnswers();
      const shared = answers.get(key) ?? running.get(key);
      if (shared !== undefined) return shared;
      const answer = remember(key, known, make);
      running.set(key, answer);
      return answer;
    },
  };

  function forgetOldAnswers(): void {
    const current = Atomics.load(version, 0);
    if (current === known) return;
    known = current;
    answers.clear();
    running.clear();
  }

  async function remember(key: string, since: number, make: () => Promise<unknown>): Promise<Reply> {
    try {
      const reply = Reply.jsonBytes(await make());
      if (Atomics.load(version, 0) === since) answers.set(key, reply);
      return reply;
    } finally {
      // Of a newer version it is another one's.
      if (known === since) running.delete(key);
    }
  }
}
