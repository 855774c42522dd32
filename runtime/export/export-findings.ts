/** What exported texts lead to. */
export class ExportFindings {
  /** Paths of links to pages of the website, each with the path of a page that has the link. */
  readonly links = new Map<string, string>();
  /** Addresses below /media/ by the name of their file. */
  readonly media = new Map<string, string>();
  /** Assets as `css/1`. */
  readonly assets = new Set<string>();

  /** Adds what one text leads to. */
  add({ links, media, assets }: ExportFindings): void {
    // A copy, because a part of a text keeps the whole text in memory.
    for (const [path, from] of links)
      if (!this.links.has(path)) this.links.set(Buffer.from(path).toString(), from);
    for (const [file, address] of media) this.media.set(file, address);
    for (const asset of assets) this.assets.add(asset);
  }

  /** As plain data, which can cross processes. */
  toJSON(): FoundLists {
    return { links: [...this.links], media: [...this.media], assets: [...this.assets] };
  }
}

export interface FoundLists {
  readonly links: readonly (readonly [path: string, from: string])[];
  readonly media: readonly (readonly [file: string, address: string])[];
  readonly assets: readonly string[];
}
