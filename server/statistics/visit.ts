import type { View } from '../http/views.ts';

/** What statistics need to know of one request; plain data that crosses threads. */
export interface Visit extends Omit<View, 'status' | 'cookie'> {
  readonly kind: 'page' | 'download';
}

/** Visits, and what counting them depends on. */
export interface VisitBatch {
  readonly visits: readonly Visit[];
  /** The domains of the websites that exist, by ID. Visits of other websites are not counted. */
  readonly domains: ReadonlyMap<number, readonly string[]>;
  /** Whether countries are recorded. */
  readonly countries: boolean;
}
