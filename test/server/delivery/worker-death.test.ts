import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { siteTable } from '../../../runtime/content/site-host.ts';
import type { Log } from '../../../server/base/log.ts';
import { ContentVersion } from '../../../server/changes/content-version.ts';
import { HostPrefixes } from '../../../server/delivery/hosts.ts';
import { createCompression } from '../../../server/delivery/index.ts';
import { PageDelivery } from '../../../server/delivery/pages.ts';
import type { PublicResponse } from '../../../server/http/public-exchange.ts';
import type { CachedResponse } from '../../../server/http/responses/cached-response.ts';
import { EncodedResponseCache } from '../../../server/http/responses/encoded-response-cache.ts';
import { Pool } from '../../../server/processes/pool.ts';

const filename = fileURLToPath(new URL('./fixtures/page-worker.mjs', import.meta.url));
const version = new ContentVersion();
const clock = () => 0;

let logged: object[];
let pool: Pool;
let pages: PageDelivery;

function start(queueLimit = 10): void {
  logged = [];
  const note = (fields: object) => {
    logged.push(fields);
  };
  const log: Log = { error: note, warn: note, info: () => {}, debug: () => {} };
  pool = new Pool({ filename, settings: null, workers: 1, timeoutMs: 3_000, queueLimit, log });
  const cache = new EncodedResponseCache<CachedResponse>({
    maxBytes: 2 ** 20,
    nowMs: clock,
    version,
    compression: createCompression({ pool, log }),
    sharing: undefined,
  });
  const visits = { missed: () => {}, redirected: () => {}, downloaded: () => {}, rendered() {} };
  const findPreviewScope = async () => undefined;
  const hosts = new HostPrefixes(async () => siteTable([]));
  const secureCookies = false;
  pages = new PageDelivery({
    cache,
    hosts,
    pool,
    version,
    findPreviewScope,
    secureCookies,
    dataDir: '',
    hasAdminAt: () => false,
    visits,
    clock,
    log,
  });
}

beforeEach(() => start());
afterEach(() => pool.close());

function get(path: string): Promise<PublicResponse> {
  return pages.rendered({
    method: 'GET',
    host: 'a',
    scheme: 'http',
    path,
    query: '',
    acceptEncoding: '',
    ifNoneMatch: '',
    cookie: '',
    header: () => '',
    peer: () => '',
  });
}

it.each(['/dies', '/spins', '/throws'])('%s fails only its own request', async (path) => {
  const [lost, fine] = await Promise.all([get(path), get('/fine')]);
  expect(lost.status).toBe('500 Internal Server Error');
  expect(lost.body).toContain('Something went wrong');
  expect(lost.body).not.toMatch(/table|worker|exit/);
  expect(new Map(lost.headers).get('X-Cache')).toBe('BYPASS');
  expect(fine.status).toBe('200 OK');
  expect(logged).toMatchObject([{ path, err: expect.any(Error) }]);
});

it('answers 503 with Retry-After when too many requests wait', async () => {
  await pool.close();
  start(1);
  const answers = await Promise.all(['/a', '/b', '/c'].map(get));
  expect(answers.map(({ status }) => status.slice(0, 3))).toEqual(['200', '200', '503']);
  expect(new Map(answers[2]?.headers).get('Retry-After')).toBe('1');
});
