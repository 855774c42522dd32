import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';

/** GET /metrics: Prometheus text, for callers on this machine or with a credential that may read. */

let server: TestServer;
let readToken: string;
let session: string;

beforeAll(async () => {
  server = await startServer();
  readToken = await addToken(server, 'reader', false);
  session = await setUp(server);
});
afterAll(() => server.stop());

function get(headers: Record<string, string> = {}, path = '/metrics'): Promise<Response> {
  return fetch(server.url + path, { headers });
}

/** The values of the metrics by name with labels, as they are written. */
async function values(): Promise<Map<string, number>> {
  const text = await (await get()).text();
  return new Map(
    text.split('\n').flatMap((line) => {
      const space = line.lastIndexOf(' ');
      return line === '' || line.startsWith('#')
        ? []
        : [[line.slice(0, space), Number(line.slice(space + 1))]];
    }),
  );
}

describe('access', () => {
  /** As a proxy on this machine forwards a request from elsewhere. */
  const elsewhere = { 'X-Forwarded-For': '203.0.113.7' };

  it('is free for callers on this machine', async () => {
    const answer = await get();
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ]);
  });

  it.each([
    ['X-Forwarded-For', '203.0.113.7'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-For', '203.0.113.7, 127.0.0.1'],
    ['Forwarded', 'for=203.0.113.7'],
    ['Via', '1.1 proxy'],
    ['X-Real-IP', '203.0.113.7'],
    ['X-Forwarded-Proto', 'https'],
  ])('needs a credential with %s: %s', async (name, value) => {
    const answer = await get({ [name]: value });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await answer.text()).not.toContain('incipit_');
  });

  it('is given to tokens that may read, to the master token and to sessions', async () => {
    const credentials = [
      { Authorization: `Bearer ${readToken}` },
      { Authorization: `Bearer ${masterToken}` },
      { Cookie: `ic_session=${session}` },
    ];
    for (const headers of credentials) expect((await get({ ...elsewhere, ...headers })).status).toBe(200);
    expect((await get(elsewhere, `/metrics?token=${readToken}`)).status).toBe(200);
  });

  it.each([
    { Authorization: 'Bearer ic_wrong' },
    { Authorization: 'Basic YTpi' },
    { Cookie: 'ic_session=gone' },
  ])('is refused to %j', async (headers) => {
    expect((await get({ ...elsewhere, ...headers })).status).toBe(401);
  });

  it('is refused to callers of another address of this machine', async (test) => {
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const other = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    // The rule concerns callers that are not local. A machine without a network cannot show one; others do.
    if (other === undefined) return test.skip('this machine has no address but those of loopback');
    const open = await startServer({ args: ['-addr', `${other}:0`] });
    expect((await fetch(`http://${other}:${open.port}/metrics`)).status).toBe(401);
    return open.stop();
  });
});

describe('the figures', () => {
  it('have a help text and a type each', async () => {
    const text = await (await get()).text();
    const names = [...text.matchAll(/^# TYPE (\S+) (?:counter|gauge|histogram|summary)$/gm)].map(
      ([, name]) => name,
    );
    expect(names).toEqual(
      expect.arrayContaining([
        'incipit_build_info',
        'incipit_http_requests_total',
        'incipit_cache_bytes',
        'incipit_workers',
        'process_resident_memory_bytes',
        'process_start_time_seconds',
      ]),
    );
    for (const name of names) expect(text).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'));
  });

  it('count requests, hits of the cache, renders and changes', async () => {
    const before = await values();
    const site = await createSite(server, { domains: 'metrics.example' });
    await createPage(server, site, { published: true });
    await get({}, '/');
    await get({}, '/');
    await get({}, '/nothing');
    await get({}, '/api/v1/nothing');
    const after = await values();
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('incipit_http_requests_total{area="api",status="2xx"}')).toBe(2);
    expect(grown('incipit_http_requests_total{area="api",status="4xx"}')).toBe(1);
    // Two pages, and the first answer of /metrics itself.
    expect(grown('incipit_http_requests_total{area="public",status="2xx"}')).toBe(3);
    expect(grown('incipit_http_requests_total{area="public",status="4xx"}')).toBe(1);
    expect(grown('incipit_cache_requests_total{result="hit"}')).toBe(1);
    expect(grown('incipit_cache_requests_total{result="miss"}')).toBe(1);
    expect(grown('incipit_tasks_total{task="page",outcome="done"}')).toBe(2);
    expect(grown('incipit_task_seconds_total{task="page"}')).toBeGreaterThan(0);
    expect(grown('incipit_content_version')).toBeGreaterThanOrEqual(2);
    expect(after.get('incipit_cache_entries')).toBe(1);
    expect(after.get('incipit_tasks_unfinished')).toBe(0);
    expect(after.get('incipit_workers')).toBe(1);
    expect(after.get('incipit_worker_processes')).toBe(1);
    expect(after.get('incipit_changes_waiting')).toBe(0);
    expect(grown('incipit_changes_total')).toBeGreaterThanOrEqual(2);
    expect(grown('incipit_commits_total')).toBeGreaterThanOrEqual(2);
    expect(grown('incipit_commit_seconds_total')).toBeGreaterThan(0);
    for (const database of ['content', 'activity'])
      expect(after.get(`incipit_database_bytes{database="${database}",file="main"}`)).toBeGreaterThan(0);
    expect(after.get('incipit_database_bytes{database="content",file="log"}')).toBeGreaterThan(0);
  });

  it('name the version', async () => {
    const health: unknown = await (await get({}, '/healthz')).json();
    const [info = ''] = [...(await values()).keys()].filter((name) => name.startsWith('incipit_build_info'));
    expect(info).toContain(`version="${Reflect.get(Object(health), 'version')}"`);
  });
});
