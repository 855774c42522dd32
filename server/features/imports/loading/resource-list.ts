import type { ResourceKind, ResourceLink } from '../parsing/messages.ts';

/** Most files of one website, and the characters of all their addresses. */
export const resourceLimits: ResourceLimits = { files: 50_000, characters: 8 * 2 ** 20 };

interface ResourceLimits {
  readonly files: number;
  readonly characters: number;
}

/** The files that a website loads, each once. Whatever its pages name, it takes a bounded part of the memory. */
export class ResourceList {
  readonly #limits: ResourceLimits;
  readonly #isWanted: (url: string) => boolean;
  readonly #links = new Map<string, ResourceLink>();
  #characters = 0;
  #isCut = false;

  /** @param isWanted whether a file counts at all */
  constructor(isWanted: (url: string) => boolean = () => true, limits = resourceLimits) {
    this.#isWanted = isWanted;
    this.#limits = limits;
  }

  /** Whether files were left out. */
  get isCut(): boolean {
    return this.#isCut;
  }

  addAll(links: Iterable<ResourceLink>): void {
    for (const link of links) {
      if (this.#links.has(link.url) || !this.#isWanted(link.url)) continue;
      const characters = this.#characters + link.url.length;
      if (this.#links.size >= this.#limits.files || characters > this.#limits.characters) {
        this.#isCut = true;
        continue;
      }
      this.#characters = characters;
      this.#links.set(link.url, link);
    }
  }

  /** The addresses up to the first that is not in the list. They share their memory with it. */
  prefixOf(urls: readonly string[]): string[] {
    const known: string[] = [];
    for (const url of urls) {
      const link = this.#links.get(url);
      if (link === undefined) break;
      known.push(link.url);
    }
    return known;
  }

  /** Those of the addresses that are in the list. They share their memory with it. */
  among(urls: readonly string[]): string[] {
    return urls.flatMap((url) => this.#links.get(url)?.url ?? []);
  }

  /** In the order in which they were found. */
  ofKind(...kinds: readonly ResourceKind[]): ResourceLink[] {
    return [...this.#links.values()].filter(({ kind }) => kinds.includes(kind));
  }

  [Symbol.iterator](): Iterator<ResourceLink> {
    return this.#links.values();
  }
}
