import type { ReadSet } from '../../../runtime/content/reads.ts';

/** Version of the content that responses are made from. */
export interface VersionSource {
  current(): number;
  /** Whether work that has read this would have the same result now. */
  holds(reads: ReadSet): boolean;
}
