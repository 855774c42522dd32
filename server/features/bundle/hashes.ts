/** SHA-256 and size of the contents of files. A content never changes, so each is measured once in its life. */
import { createHash } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import type { Changes } from '../../changes/changes.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { MediaContents } from '../media/contents.ts';
import { findFormat } from '../media/types.ts';
import {
  correctFlags,
  correctFormat,
  listFileTypes,
  listUnmeasured,
  saveMeasure,
  type UnmeasuredContent,
  updateSize,
} from './store.ts';

export interface HashesDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly contents: MediaContents;
  readonly log: Log;
}

const contentsPerChange = 50;

/** What is known of a content whose bytes are gone, which no import can bring back. */
const lost = { sha256: '0'.repeat(64), size: 0 } as const;

interface Measure {
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Measures contents, and lets their files have the size of their bytes, the format of their type and a flag that is
 * one: files that came with bundles of older programs may have others, which no bundle may tell.
 */
export class ContentHashes {
  readonly #deps: HashesDeps;
  #work: Promise<void> | undefined;
  /** Once is enough: no program of today stores a wrong type. */
  #areTypesCorrect = false;

  constructor(deps: HashesDeps) {
    this.#deps = deps;
  }

  /** Resolves when hash and size of all files are known that were stored before this call. */
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
    if (!this.#areTypesCorrect) await this.#correctTypes();
    for (;;) {
      const contents = await listUnmeasured(reader, contentsPerChange);
      if (contents.length === 0) return;
      const measures = await this.#measure(contents);
      await this.#correctSizes(contents, measures);
      await changes.changeUnversioned({ kind: 'none' }, async ({ tx }) => {
        for (const [content, measure] of measures) await saveMeasure(tx, { content, ...measure });
      });
    }
  }

  async #measure(contents: readonly UnmeasuredContent[]): Promise<ReadonlyMap<string, Measure>> {
    const measures = new Map<string, Measure>();
    const look = async (content: string, sha256: string): Promise<void> => {
      const size = await this.#deps.contents.findSize(content);
      measures.set(content, size === undefined ? this.#lose(content) : { sha256, size });
    };
    await Promise.all(
      contents.map(({ content, sha256 }) => (sha256 === null ? undefined : look(content, sha256))),
    );
    for (const { content, sha256 } of contents)
      if (sha256 === null) measures.set(content, await this.#read(content));
    return measures;
  }

  async #correctTypes(): Promise<void> {
    const { reader, changes } = this.#deps;
    const types = await listFileTypes(reader);
    const otherFormats = types.filter(({ mime, format }) => format !== findFormat(mime));
    const hasOtherFlags = types.some((type) => type.private !== 0 && type.private !== 1);
    if (hasOtherFlags || otherFormats.length > 0)
      await changes.change({ kind: 'none' }, async ({ tx }) => {
        for (const type of otherFormats) await correctFormat(tx, type, findFormat(type.mime));
        if (hasOtherFlags) await correctFlags(tx);
      });
    this.#areTypesCorrect = true;
  }

  async #correctSizes(
    contents: readonly UnmeasuredContent[],
    measures: ReadonlyMap<string, Measure>,
  ): Promise<void> {
    const wrong = contents.flatMap(({ content, size: stored }) => {
      const { sha256, size } = measures.get(content) ?? lost;
      return sha256 === lost.sha256 || size === stored ? [] : [{ content, size }];
    });
    if (wrong.length === 0) return;
    await this.#deps.changes.change({ kind: 'none' }, async ({ tx }) => {
      for (const { content, size } of wrong) await updateSize(tx, content, size);
    });
  }

  async #read(content: string): Promise<Measure> {
    const opened = await this.#deps.contents.open(content);
    if (opened === undefined) return this.#lose(content);
    const hash = createHash('sha256');
    let size = 0;
    for await (const part of opened.body) {
      hash.update(part);
      size += part.length;
    }
    return { sha256: hash.digest('hex'), size };
  }

  #lose(content: string): Measure {
    this.#deps.log.error({ content }, 'the bytes of a file are not in the media storage');
    return lost;
  }
}
