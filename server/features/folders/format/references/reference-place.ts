/** A place that holds a reference, and what may stand there instead. */

export type TargetKind = 'file' | 'page' | 'item' | 'asset' | 'collection' | 'global_block';

/** A place that holds a reference. */
export interface ReferencePlace {
  readonly kind: TargetKind;
  readonly field: string;
  /** The collection that an entry must be of, as its definition names it; null for any. */
  readonly collection: unknown;
  /** Of a call in a template: where its argument begins in the text of the field. */
  readonly offset?: number | undefined;
}

/** Answers with what stands in a place instead. The same value leaves the place as it is. */
export type Replace = (value: unknown, place: ReferencePlace) => unknown;
