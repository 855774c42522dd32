/** What a render knows of the words of its page. */
export interface RegionSource {
  /** The words in a region, ready to be printed; undefined if the region shows its default. */
  value(name: string, type: string): unknown;
  /** In previews the mark before or behind a region; empty elsewhere. */
  mark(name: string, isOpening: boolean): string;
}
