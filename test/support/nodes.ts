import { callOk } from './api.ts';
import type { DescribedServer } from './contract.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { type S3Server, startS3 } from './s3.ts';
import { type ServerOptions, startServer, type TestServer } from './server.ts';
import { nodeKey } from './shared-database.ts';

/** Starts a node of a shared database, with an empty data directory unless one is given. */
export function startNode(database: string, options: ServerOptions = {}): Promise<TestServer> {
  const env = { IC_DATABASE: database, IC_ENCRYPTION_KEY: nodeKey, ...options.env };
  return startServer({ ...options, env });
}

/** Moves the media of a node to object storage, as is necessary before other nodes start. */
export async function shareMedia(node: DescribedServer, { config }: Pick<S3Server, 'config'>): Promise<void> {
  await callOk(node, 'POST', '/storage/migrate', { target: 's3', s3: config });
  await until(async () => (await callOk(node, 'GET', '/storage/migrate'))['status'] === 'done');
}

/** Starts several nodes, the first one before the others. */
async function startNodes(
  database: string,
  s3: S3Server,
  { count, leaseSeconds }: { readonly count: number; readonly leaseSeconds: number },
): Promise<TestServer[]> {
  const options = { env: { IC_LEASE: String(leaseSeconds) } };
  const first = await startNode(database, options);
  await shareMedia(first, s3);
  const others = await Promise.all(Array.from({ length: count - 1 }, () => startNode(database, options)));
  return [first, ...others];
}

/** The text of a public page; the status in front of it unless that is 200. */
export async function pageOf({ url }: Pick<TestServer, 'url'>, path: string): Promise<string> {
  const response = await fetch(url + path, { redirect: 'manual' });
  const text = await response.text();
  return response.status === 200 ? text : `${response.status} ${text}`;
}

/** Asks until an answer is as wanted. */
export async function until(isThere: () => Promise<boolean>, ms = 20_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await isThere().catch(() => false))) {
    if (performance.now() > end) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export interface TwoNodes {
  readonly postgres: TestPostgres;
  readonly database: string;
  readonly s3: S3Server;
  readonly one: TestServer;
  readonly two: TestServer;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL, an object storage and two nodes; `stop` ends all.
 *
 * @param leaseSeconds long unless a test waits for its end, because the machine may have other work to do
 */
export async function startTwoNodes(leaseSeconds = 20): Promise<TwoNodes> {
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  const database = await postgres.createDatabase();
  const [one, two] = (await startNodes(database, s3, { count: 2, leaseSeconds })) as [TestServer, TestServer];
  return {
    ...{ postgres, database, s3, one, two },
    async stop() {
      await Promise.all([one.stop(), two.stop()]);
      await Promise.all([postgres.remove(), s3.stop()]);
    },
  };
}
