import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServer } from './child.ts';
import { startNginx } from './nginx.ts';
import { fetchAnswer, headerOf } from './prepared.ts';
import { addBenchPages, type Scenario } from './scenarios.ts';
import { startIncipit } from './site.ts';
import { startVarnish } from './varnish.ts';

export interface Contestant {
  readonly name: string;
  readonly server: ServerProcess;
  /** Whether its work is done by processes that it has started. */
  readonly hasChildren?: boolean;
  /** Whether it gives one answer whatever is asked. */
  readonly isBare?: boolean;
}

/** Incipit as it starts, and with each option that is compared. */
const incipits = [
  ['incipit', []],
  ['incipit -front-threads 2', ['-front-threads', '2']],
  ['incipit -front node', ['-front', 'node']],
] as const;

/** Starts Incipit in every form and adds the servers to the list, also if a later one fails. */
export async function startIncipits(folder: string, contestants: Contestant[]): Promise<void> {
  for (const [index, [name, args]] of incipits.entries()) {
    const dataDir = join(folder, `site-${index}`);
    const server = await startIncipit(dataDir, ['-demo', ...args]);
    contestants.push({ name, server });
    await addBenchPages(dataDir, server.url);
  }
}

const bareServer = fileURLToPath(new URL('bare-server.ts', import.meta.url));
const bareKinds = [
  ['bare uWebSockets.js', 'uws'],
  ['bare uWebSockets.js, 2 threads', 'uws-threads'],
  ['bare node:http', 'node'],
] as const;

/**
 * Starts servers that repeat what Incipit answers; the first one is the reference. For files and finished pages also
 * nginx, and Varnish in front of Incipit, where they are installed.
 */
export async function startOthers(
  folder: string,
  url: string,
  scenario: Scenario,
  contestants: Contestant[],
): Promise<number> {
  const answer = await fetchAnswer(url + scenario.path, scenario.headers, scenario.status);
  const file = join(folder, 'answer.json');
  writeFileSync(file, JSON.stringify([answer]));
  for (const [name, kind] of bareKinds)
    contestants.push({ name, server: await startServer([bareServer, kind, file]), isBare: true });
  if (scenario.isRendered !== true) await startCaches(folder, url, scenario, contestants);
  return Buffer.from(answer.body, answer.bodyEncoding).length;
}

async function startCaches(
  folder: string,
  url: string,
  scenario: Scenario,
  contestants: Contestant[],
): Promise<void> {
  const headers = Object.entries(scenario.headers).filter(([name]) => name !== 'if-none-match');
  const answer = await fetchAnswer(url + scenario.path, Object.fromEntries(headers));
  const own = mkdtempSync(join(folder, 'caches-'));
  const nginx = await startNginx(join(own, 'nginx'), answer);
  if (nginx !== undefined) contestants.push({ name: 'nginx', server: nginx });
  const varnish = await startVarnish(join(own, 'varnish'), url);
  if (varnish !== undefined)
    contestants.push({ name: 'Varnish in front of incipit', server: varnish, hasChildren: true });
}

/** The scenario with the entity tag, if it asks with one. */
export async function withTag(url: string, scenario: Scenario): Promise<Scenario> {
  if (!('if-none-match' in scenario.headers)) return scenario;
  const tag = headerOf(await fetchAnswer(url + scenario.path, {}), 'etag') ?? '';
  return { ...scenario, headers: { 'if-none-match': tag } };
}
