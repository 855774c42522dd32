import type { Actor } from '../../base/actor.ts';
import { type ReadLimits, withReadLimits } from '../../base/content-overlay.ts';
import type { Route } from '../route.ts';
import { canShowChangeSet } from './overlaid-reads.ts';

/** What a caller may read; undefined for everything. */
export type LimitReads = (actor: Actor) => ReadLimits | undefined;

/** Whether an endpoint only reads. Every query of content in it then finds no more than its caller may read. */
function isReadingRoute(route: Route): boolean {
  return (
    route.method === 'GET' || route.access === 'read' || canShowChangeSet(route) || shown.has(route.path)
  );
}

/** Endpoints that show content without changing it, though they need the right to write. */
const shown: ReadonlySet<string> = new Set(['/pages/{id}/sitemap-preview']);

/** Runs the handler of an endpoint with what its caller may read. */
export function runLimited<Result>(
  route: Route,
  limits: ReadLimits | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  return limits === undefined || !isReadingRoute(route) ? work() : withReadLimits(limits, work);
}
