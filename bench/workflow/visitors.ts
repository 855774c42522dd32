import { markdownTable } from '../report.ts';
import { type LoadResult, load } from '../serve/load.ts';
import { callApi } from '../serve/site.ts';
import { functionNode, inputNodes, type WorkflowSite } from './site.ts';

/** How long visitors of a cached page wait, alone and while workflows have all the requests that they can answer. */
export interface VisitorsResult {
  readonly alone: LoadResult;
  readonly saturated: LoadResult;
  /** Of the workflows meanwhile. */
  readonly workflows: LoadResult;
}

const body = JSON.stringify({ prices: [12.5, 3, 99.95] });

export async function measureVisitors(
  site: WorkflowSite,
  { seconds, connections }: { readonly seconds: number; readonly connections: number },
): Promise<VisitorsResult> {
  const { server, token } = site;
  const home = await callApi(server.url, token, 'POST', '/sites', { title: 'Bench' });
  await callApi(server.url, token, 'PUT', `/pages/${home.id}`, { published: true, html: '<h1>Bench</h1>' });
  await site.create('saturated', inputNodes('saturated', [functionNode]));
  const visit = (): Promise<LoadResult> =>
    load(server.url, { seconds, connections: 1, pipelining: 1, headers: {} });
  const run = (forSeconds: number): Promise<LoadResult> =>
    load(`${server.url}/api/v1/flows/saturated`, {
      seconds: forSeconds,
      connections,
      pipelining: 1,
      headers: { 'Content-Type': 'application/json' },
      method: 'POST',
      body,
    });
  await run(seconds);
  const alone = await visit();
  const [workflows, saturated] = await Promise.all([run(seconds), visit()]);
  return { alone, saturated, workflows };
}

export function visitorsTable({ alone, saturated, workflows }: VisitorsResult): string {
  const row = (name: string, { requestsPerSecond, p50Ms, p99Ms, maxMs }: LoadResult): string[] => [
    name,
    requestsPerSecond.toFixed(0),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    maxMs.toFixed(1),
  ];
  return markdownTable(
    ['one visitor of a cached page', 'requests/s', 'p50 ms', 'p99 ms', 'max ms'],
    [row('alone', alone), row('while workflows saturate', saturated), row('(the workflows)', workflows)],
  );
}
