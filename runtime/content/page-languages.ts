import { type Dependency, dependencies } from './dependencies.ts';
import { DependencyCache, maxEntries } from './dependency-cache.ts';
import type { DependencyRecorder } from './dependency-recorder.ts';
import { defaultLang } from './language.ts';
import type { ContentReader, PageRecord, VersionRecord } from './reader.ts';

interface KeptVersions {
  readonly records: readonly VersionRecord[];
  /** The languages of their websites when they were read. */
  readonly langs: readonly (readonly [rootId: number, langs: Map<number, string>])[];
}

/** The languages of pages, own or inherited, and their language versions. `ContentCache` says when one is dropped. */
export class PageLanguages {
  readonly #reader: ContentReader;
  readonly #reads: DependencyRecorder;
  /** By website: languages by the IDs of pages, as far as they were asked for. */
  readonly #langs = new DependencyCache<Map<number, string>>();
  readonly #ofSites = new DependencyCache<readonly string[]>();
  readonly #versions = new DependencyCache<KeptVersions>();
  readonly #all: readonly DependencyCache<unknown>[] = [this.#langs, this.#ofSites, this.#versions];

  constructor(reader: ContentReader, reads: DependencyRecorder) {
    this.#reader = reader;
    this.#reads = reads;
  }

  drop(dependency: Dependency): void {
    for (const kept of this.#all) kept.drop(dependency);
  }

  clear(): void {
    for (const kept of this.#all) kept.clear();
  }

  /** The language of a page, own or inherited, or the default. */
  effective(page: Pick<PageRecord, 'id' | 'root_id' | 'lang'>): string {
    if (page.lang !== '') return page.lang;
    const known = this.#langsOf(page.root_id);
    const lang = known.get(page.id) ?? (this.#reader.chosenLang(page.id) || defaultLang);
    if (known.size >= maxEntries) known.clear();
    known.set(page.id, lang);
    return lang;
  }

  /** The languages of the published pages of a website, in order. */
  ofSite(rootId: number): readonly string[] {
    return this.#ofSites.take(this.#reads, dependencies.languages(rootId), () =>
      [...new Set(this.#reader.languages(rootId).map((lang) => lang || defaultLang))].sort(),
    );
  }

  /** The published pages of a group of language versions. */
  versions(group: string): readonly VersionRecord[] {
    const dependency = dependencies.versions(group);
    const take = () => this.#versions.take(this.#reads, dependency, () => this.#readVersions(group));
    const kept = take();
    if (kept.langs.every(([rootId, langs]) => this.#langsOf(rootId) === langs)) return kept.records;
    // Languages are inherited, so those of a website may change without the pages of the group.
    this.#versions.drop(dependency);
    return take().records;
  }

  versionsOfSite(rootId: number): readonly VersionRecord[] {
    const reads = this.#reads;
    reads.note(dependencies.pagesOfSite(rootId));
    const versions = this.#reader.versionsOfSite(rootId);
    for (const { translation_group } of versions) reads.note(dependencies.versions(translation_group));
    for (const { root_id } of versions) reads.note(dependencies.langs(root_id));
    return versions;
  }

  #readVersions(group: string): KeptVersions {
    const records = this.#reader.versions(group);
    const rootIds = new Set(records.map(({ root_id }) => root_id));
    return { records, langs: [...rootIds].map((rootId) => [rootId, this.#langsOf(rootId)]) };
  }

  /** The same map until a language of the website changes. */
  #langsOf(rootId: number): Map<number, string> {
    return this.#langs.take(this.#reads, dependencies.langs(rootId), () => new Map());
  }
}
