import { ContentCache } from '../../runtime/content/content-cache.ts';
import { DependencyRecorder, type ReadSet } from '../../runtime/content/dependency-recorder.ts';
import type { ContentReader, PageRecord, SnippetRecord } from '../../runtime/content/reader.ts';

/**
 * A memo as if reads were not recorded: it notes nothing, and computes no dependencies but those that are keys of
 * what it keeps.
 */
export class UnrecordedMemo extends ContentCache {
  readonly #source: ContentReader;

  constructor(reader: ContentReader) {
    super(reader, new NoReads());
    this.#source = reader;
  }

  override page(id: number): PageRecord | undefined {
    return this.#source.page(id);
  }

  override pageByPath(rootId: number, path: string): PageRecord | undefined {
    return this.#source.pageByPath(rootId, path);
  }

  override snippet(name: string): SnippetRecord | undefined {
    return this.#source.snippet(name);
  }

  override noteSnippets(): void {}
}

class NoReads extends DependencyRecorder {
  override start(): void {}
  override note(): void {}
  override noteAll(): void {}
  override markUncacheable(): void {}
  override taken(seq: number): ReadSet {
    return { seq, dependencies: undefined };
  }
}
