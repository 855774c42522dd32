import { join } from 'node:path';
import { SourcesNeeded } from '../../../runtime/content/source-data.ts';
import { RenderWorker, type TaskContext } from '../../../runtime/tasks/context.ts';
import { renderPageTask } from '../../../runtime/tasks/render-page.ts';

export interface SiteAddress {
  readonly siteId: number;
  readonly host: string;
  readonly path: string;
}

/** What a failing page is to be listed with. */
export interface ExpectedFailure {
  readonly pageId: number;
  readonly error: string;
  readonly template: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** Renders addresses in a worker that starts from nothing, and returns those whose page fails, by website and path. */
export async function findFailures(
  databaseFile: string,
  addresses: readonly SiteAddress[],
): Promise<ReadonlyMap<string, ExpectedFailure | 'unchecked'>> {
  const cacheDir = join(databaseFile, '..', 'anew');
  const worker = new RenderWorker({ databaseFile, cacheDir, scheme: 'http', signingKeyFile: '' });
  try {
    const failures = new Map<string, ExpectedFailure | 'unchecked'>();
    for (const address of addresses) {
      const failure = await findFailure(worker.contextFor(), address);
      if (failure !== undefined) failures.set(keyOf(address), failure);
    }
    return failures;
  } finally {
    worker.close();
  }
}

export function keyOf({ siteId, path }: Pick<SiteAddress, 'siteId' | 'path'>): string {
  return `${siteId} ${path}`;
}

/** A page is rendered up to the first call of something outside; then only a visit knows more. */
async function findFailure(
  context: TaskContext,
  { host, path }: SiteAddress,
): Promise<ExpectedFailure | 'unchecked' | undefined> {
  const task = { kind: 'page', host, scheme: 'http', path, query: '', now: Date.now() } as const;
  try {
    const { outcome } = await renderPageTask(context, task);
    // The 404 page is shown at other addresses, but it fails at its own.
    if (outcome.kind !== 'failed' || outcome.of.path !== path) return undefined;
    const { message, template = null, line = null, column = null } = outcome.error;
    return { pageId: outcome.of.pageId, error: message, template, line, column };
  } catch (error) {
    if (error instanceof SourcesNeeded) return 'unchecked';
    throw error;
  }
}
