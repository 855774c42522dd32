import type { Change } from './generated/schema.ts';

/** A page that a change has broken, as the stream of changes tells it. */
export interface FailedPage {
  readonly id: number;
  readonly siteId: number;
  readonly path: string;
  /** The object whose change broke it. */
  readonly cause: { readonly kind: string; readonly id: number };
}

const listeners = new Set<(page: FailedPage) => void>();

export function followFailedPages(listener: (page: FailedPage) => void): void {
  listeners.add(listener);
}

/** Tells of the pages among changes that have begun to fail. */
export function tellFailedPages(changes: readonly Change[]): void {
  for (const { action, id, site_id: siteId, path, change } of changes) {
    if (action !== 'failed' || siteId === undefined || path === undefined) continue;
    if (change === undefined || change === null) continue;
    const { kind, id: changedId } = change;
    for (const tell of listeners) tell({ id, siteId, path, cause: { kind, id: changedId } });
  }
}
