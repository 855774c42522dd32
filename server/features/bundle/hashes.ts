/** SHA-256 of the contents of files. A content never changes, so each is read once in its life. */
import { createHash } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import type { Changes } from '../../changes/changes.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { MediaContents } from '../media/contents.ts';
import { listUnhashed, saveHash } from './store.ts';

export interface HashesDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly contents: MediaContents;
  readonly log: Log;
}

const contentsPerChange = 50;

/** What stands for the hash of a content whose bytes are gone, which no import can bring back. */
const lostHash = '0'.repeat(64);

export class ContentHashes {
  readonly #deps: HashesDeps;
  #work: Promise<void> | undefined;

  constructor(deps: HashesDeps) {
    this.#deps = deps;
  }

  /** Resolves when the hashes of all files are known that were stored before this call. */
  async complete(): Promise<void> {
    const running = this.#work;
    if (running !== undefined) await running.catch(() => {});
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
    });
    await this.#work;
  }

  async #run(): Promise<void> {
    const { reader, changes } = this.#deps;
    for (;;) {
      const contents = await listUnhashed(reader, contentsPerChange);
      if (contents.length === 0) return;
      const hashed: { readonly content: string; readonly sha256: string }[] = [];
      for (const content of contents) hashed.push({ content, sha256: await this.#hash(content) });
      await changes.changeUnversioned({ kind: 'none' }, async ({ tx }) => {
        for (const entry of hashed) await saveHash(tx, entry);
      });
    }
  }

  async #hash(content: string): Promise<string> {
    const opened = await this.#deps.contents.open(content);
    if (opened === undefined) {
      this.#deps.log.error({ content }, 'the bytes of a file are not in the media storage');
      return lostHash;
    }
    const hash = createHash('sha256');
    for await (const part of opened.body) hash.update(part);
    return hash.digest('hex');
  }
}
