import type { Feature, SharedServices } from '../../feature.ts';
import type { Pool } from '../../processes/pool.ts';
import { CheckRenderer } from './check-renderer.ts';
import { CheckedVersion } from './checked-version.ts';
import { PageChecker } from './page-checker.ts';
import { PageCommitCheck, type PageCommitCheckDeps } from './page-commit-check.ts';
import { failingPageRoutes } from './routes.ts';
import { FailingPages } from './service.ts';
import { VisitedPages } from './visited-pages.ts';

/**
 * Pages that cannot be rendered, and the change that broke each of them.
 *
 * @param yielding its processes yield to those that render for visitors
 */
export async function failingPagesFeature(
  parts: SharedServices & Pick<PageCommitCheckDeps, 'staging' | 'maxWaitMs'>,
  yielding: Pool,
): Promise<Feature> {
  const failing = new FailingPages(parts);
  await failing.refresh();
  const visited = new VisitedPages(parts);
  const checked = new CheckedVersion(parts);
  const renderer = new CheckRenderer({ ...parts, processes: yielding });
  const checker = new PageChecker({ ...parts, failing, visited, checked, renderer });
  await checker.start();
  return {
    routes: failingPageRoutes(failing),
    followers: [failing, checker],
    commitCheck: new PageCommitCheck({
      ...parts,
      checker,
      failing,
      // Its caller waits for it as visitors wait for pages.
      renderer: new CheckRenderer({ ...parts, processes: parts.pool }),
    }),
    visits: { rendered: (render) => checker.noteVisit(render) },
    figures: [
      {
        type: 'gauge',
        name: 'failing_pages',
        help: 'Pages that visitors cannot see, because they cannot be rendered.',
        read: () => failing.size,
      },
      {
        type: 'gauge',
        name: 'page_checks_running',
        help: 'Whether pages are checked after a change now.',
        read: () => Number(checker.isBusy),
      },
      {
        type: 'counter',
        name: 'page_checks_total',
        help: 'Pages that were rendered again after a change.',
        labels: ['result'],
        read: () => checker.counts(),
      },
    ],
    async close() {
      await checker.close();
      await failing.idle();
      await visited.close();
      await checked.close();
    },
  };
}
