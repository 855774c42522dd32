import type { ReadSet } from '../../../runtime/content/dependency-recorder.ts';

/** Version of the content that responses are made from. */
export interface VersionSource {
  current(): number;
  /** Whether work that has read this would have the same result now. */
  isUpToDate(reads: ReadSet): boolean;
}

/** For what no change of content makes wrong. */
export const oneVersion: VersionSource = { current: () => 0, isUpToDate: () => true };
