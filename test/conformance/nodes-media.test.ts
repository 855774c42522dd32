import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, callOk } from '../support/api.ts';
import { upload, uploadOne } from '../support/media.ts';
import { shareMedia, startNode, until } from '../support/nodes.ts';
import { postgresFolder, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type S3Server, startS3 } from '../support/s3.ts';
import { makeTempDir, type Outcome, runMain, type TestServer } from '../support/server.ts';
import { nodeKey } from '../support/shared-database.ts';
import { visit } from './public-client.ts';

/** Media of nodes: local files belong to one node alone, and moves between storages lose none. */

describe.skipIf(postgresFolder === undefined)('media of nodes', () => {
  let postgres: TestPostgres;
  let s3: S3Server;
  let database: string;

  beforeAll(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  });
  afterAll(async () => {
    await Promise.all([postgres?.remove(), s3?.stop()]);
  });
  beforeEach(async () => {
    s3.hold = undefined;
    database = await postgres.createDatabase();
  });

  const isObject = (path: string) => /^\/media\/[\da-f]{2}\//.test(path);
  /** The outcome of a start that does not get far. */
  const refusedStart = async (): Promise<Outcome> => {
    const dataDir = makeTempDir();
    try {
      const env = { IC_DATABASE: database, IC_ENCRYPTION_KEY: nodeKey };
      return await runMain(['-data', dataDir, '-addr', '127.0.0.1:0'], env);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  };
  const migrationEnd = async (node: TestServer): Promise<Record<string, unknown>> => {
    await until(async () => (await callOk(node, 'GET', '/storage/migrate'))['status'] !== 'running');
    return callOk(node, 'GET', '/storage/migrate');
  };
  const textOf = async (node: TestServer, path: string) => {
    const { status, text } = await visit(node, path);
    return status === 200 ? text : String(status);
  };

  it('in local files keep a second node from starting, until they have moved', async () => {
    const dataDir = makeTempDir();
    const first = await startNode(database, { dataDir });
    expect(first.log().split('media are local files of this node')).toHaveLength(2);
    await uploadOne(first, 'early.txt', 'early');
    const { code, stderr } = await refusedStart();
    expect(code).toBe(1);
    expect(stderr.trim().split('\n').at(-1)).toMatch(
      /^incipit: media are local files of another node: .*POST \/api\/v1\/storage\/migrate .*\(.+:\d+, version .+\)$/,
    );
    await shareMedia(first, s3);
    const second = await startNode(database);
    expect(second.log()).not.toContain('media are local files');
    await uploadOne(second, 'late.txt', 'late');
    for (const node of [first, second]) {
      expect(await textOf(node, '/media/early.txt')).toBe('early');
      expect(await textOf(node, '/media/late.txt')).toBe('late');
    }
    const answer = await call(second, 'POST', '/storage/migrate', { body: { target: 'local' } });
    expect(answer).toMatchObject({ status: 409, body: { code: 'storage.otherNodes' } });
    await first.stop();
    await callOk(second, 'POST', '/storage/migrate', { target: 'local' });
    expect(await migrationEnd(second)).toMatchObject({ status: 'done' });
    expect(await textOf(second, '/media/early.txt')).toBe('early');
    expect((await refusedStart()).stderr).toContain('media are local files of another node');
    await second.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('in local files let a node that was killed start again', async () => {
    const dataDir = makeTempDir();
    const first = await startNode(database, { dataDir });
    await uploadOne(first, 'kept.txt', 'kept');
    await first.end('SIGKILL');
    const again = await startNode(database, { dataDir });
    expect(await textOf(again, '/media/kept.txt')).toBe('kept');
    await again.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('in local files of two nodes that start together are those of one', async () => {
    const starts = await Promise.allSettled([startNode(database), startNode(database), startNode(database)]);
    const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    expect(started).toHaveLength(1);
    for (const node of started) await node.stop();
  });

  it('stay with the node that serves when one comes back that was stopped for longer than its lease', async () => {
    const first = await startNode(database);
    process.kill(first.pid, 'SIGSTOP');
    const second = await startNode(database);
    process.kill(first.pid, 'SIGCONT');
    await until(async () => first.log().includes('media are local files of another node'));
    for (let round = 0; round < 5; round++) {
      expect((await fetch(`${first.url}/healthz`)).status).toBe(503);
      expect((await call(first, 'POST', '/snippets', { body: { name: 'late' } })).status).toBe(503);
    }
    expect(await callOk(second, 'GET', '/storage')).toMatchObject({ type: 'local' });
    await second.stop();
    await until(async () => (await fetch(`${first.url}/healthz`)).status === 200);
    await first.stop();
  });

  it('stay in object storage if another node has stored some during a move to local files', async () => {
    const first = await startNode(database);
    await shareMedia(first, s3);
    await uploadOne(first, 'one.txt', 'one');
    const isStopped = Promise.withResolvers<void>();
    s3.hold = ({ method, path }) => (method === 'GET' && isObject(path) ? isStopped.promise : undefined);
    await callOk(first, 'POST', '/storage/migrate', { target: 'local' });
    await until(async () => (await callOk(first, 'GET', '/storage/migrate'))['phase'] === 'copy');
    const second = await startNode(database);
    await uploadOne(second, 'two.txt', 'two');
    await second.stop();
    isStopped.resolve();
    expect(await migrationEnd(first)).toMatchObject({ status: 'failed', error_code: 'storage.otherNodes' });
    expect(await callOk(first, 'GET', '/storage')).toMatchObject({ type: 's3' });
    await callOk(first, 'POST', '/storage/migrate', { target: 'local' });
    expect(await migrationEnd(first)).toMatchObject({ status: 'done' });
    expect(await textOf(first, '/media/one.txt')).toBe('one');
    expect(await textOf(first, '/media/two.txt')).toBe('two');
    await first.stop();
  });

  it('that a node is storing outlive the start of another one', async () => {
    const first = await startNode(database);
    await shareMedia(first, s3);
    const mayGoOn = Promise.withResolvers<void>();
    let puts = 0;
    s3.hold = ({ method, path }) => {
      if (method !== 'PUT' || !isObject(path)) return undefined;
      puts += 1;
      return puts === 2 ? mayGoOn.promise : undefined;
    };
    const uploaded = upload(first, [
      { name: 'stored.txt', bytes: 'stored' },
      { name: 'waiting.txt', bytes: 'waiting' },
    ]);
    await until(async () => puts === 2);
    s3.seen.length = 0;
    const second = await startNode(database);
    // It looks for objects that belong to no file.
    await until(async () => s3.seen.some(({ path }) => path.includes('list-type=')));
    await pause(500);
    mayGoOn.resolve();
    expect(await uploaded).toMatchObject({ status: 201 });
    expect(await textOf(second, '/media/stored.txt')).toBe('stored');
    expect(await textOf(second, '/media/waiting.txt')).toBe('waiting');
    await Promise.all([first.stop(), second.stop()]);
  });

  it('are reached with new settings on all nodes when the change is answered', async () => {
    const first = await startNode(database);
    await shareMedia(first, s3);
    const second = await startNode(database);
    for (let round = 0; round < 5; round++) {
      const [writer, reader] = round % 2 === 0 ? [first, second] : [second, first];
      const path_style = true;
      await callOk(writer, 'PUT', '/storage', {
        cache_mb: round + 1,
        s3: { path_style, region: `r${round}` },
      });
      expect(await callOk(reader, 'GET', '/storage')).toMatchObject({
        cache_mb: round + 1,
        cache: { max_bytes: (round + 1) * 2 ** 20 },
      });
      s3.seen.length = 0;
      await uploadOne(reader, `round${round}.txt`, 'x');
      const [put] = s3.seen.filter(({ method }) => method === 'PUT');
      expect(put?.headers.authorization).toContain(`/r${round}/`);
    }
    await Promise.all([first.stop(), second.stop()]);
  });
});
