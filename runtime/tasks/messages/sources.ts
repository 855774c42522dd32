/** What tasks that render ask of sources, and how they tell that they need their answers. */
import type { OutsideAnswer, OutsideRequest } from '../../content/source-data.ts';

/** A task that renders, and may read sources. */
export interface ReadsSources {
  /** What is known of the answers of sources. */
  readonly sources?: readonly OutsideAnswer[] | undefined;
}

/** A task whose result may have signed addresses of files. */
export interface SignsAddresses {
  /** Whom the addresses end with; default: they end only by time. */
  readonly opener?: string | undefined;
}

/** Instead of a result: the task must be run again with the answers of these sources. */
export interface NeedsSources {
  readonly kind: 'needs-sources';
  readonly requests: readonly OutsideRequest[];
}

/** Asks for the list in the answer of a source. */
export interface SourceListTask {
  readonly kind: 'source-list';
  readonly bytes: Uint8Array;
  readonly listPath: string;
}

export type SourceListResult =
  | { readonly kind: 'list'; readonly json: Uint8Array }
  | { readonly kind: 'fault'; readonly isJson: boolean; readonly reason: string };
