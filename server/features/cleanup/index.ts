import { defineRoute } from '../../api/route.ts';
import { unixSeconds } from '../../base/clock.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { CleanupRequest, CleanupResult, Unused } from './model.ts';
import { listUnused, removeUnused } from './service.ts';

/** Objects that nothing refers to. */
export function cleanupFeature({
  snapshots,
  changes,
  registry,
  backlog,
  clock,
}: Pick<SharedServices, 'snapshots' | 'changes' | 'registry' | 'backlog' | 'clock'>): Feature {
  return {
    about: { cleanup: 'Objects that nothing refers to.' },
    routes: [
      defineRoute({
        method: 'GET',
        path: '/cleanup',
        access: 'write',
        needs: 'delete',
        summary: 'List files, CSS and JS, and snippets that nothing refers to',
        response: Unused,
        // What change sets use is no content, so the answer is not kept until content changes.
        async handle() {
          await backlog.done();
          return snapshots.read((db) => listUnused(db, unixSeconds(clock)));
        },
      }),
      defineRoute({
        method: 'POST',
        path: '/cleanup',
        access: 'write',
        needs: 'delete',
        summary: 'Delete objects unless something refers to them',
        body: CleanupRequest,
        response: CleanupResult,
        async handle({ actor, body }) {
          await backlog.done();
          return removeUnused({ changes, kinds: registry.byName }, actor, body);
        },
      }),
    ],
  };
}
