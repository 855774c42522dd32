import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../support/nodes.ts';
import { postgresFolder, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { CutProxy } from '../support/proxy.ts';

/** The proxy of other tests: each fault does to a connection what its name says, and to no other. */

const application = 'test writer';

describe.skipIf(postgresFolder === undefined)('a proxy in front of PostgreSQL', () => {
  let postgres: TestPostgres;
  let database: string;
  let proxy: CutProxy;
  let client: pg.Client;

  beforeAll(async () => {
    postgres = await startPostgres();
    database = await postgres.createDatabase();
  });
  afterAll(async () => {
    await postgres?.remove();
  });
  beforeEach(async () => {
    await postgres.query(database, 'DROP TABLE IF EXISTS notes; CREATE TABLE notes (text text)');
    proxy = await CutProxy.start(postgres.port);
    client = await connect();
  });
  afterEach(async () => {
    await proxy.close();
  });

  async function connect(name = application): Promise<pg.Client> {
    const created = new pg.Client({
      connectionString: proxy.through(database),
      application_name: name,
      connectionTimeoutMillis: 500,
    });
    created.on('error', () => {});
    await created.connect();
    return created;
  }

  const add = (text: string, by = client) => by.query(`INSERT INTO notes VALUES ('${text}')`);
  const stored = async () =>
    (await postgres.query(database, 'SELECT text FROM notes ORDER BY text')).map(({ text }) => text);
  const statement = /INSERT INTO notes/;

  it('forwards, with messages of many parts, and sees statements', async () => {
    const watch = proxy.at({ statement: /long x+y'/, application }).watch();
    await add(`long ${'x'.repeat(3_000_000)}y`);
    await watch.happened();
    const { rows } = await client.query(`SELECT text, repeat(text, 3) FROM notes`);
    expect(String(rows[0]?.text)).toHaveLength(3_000_006);
    expect(watch.count).toBe(1);
  });

  it('cuts before a statement, which PostgreSQL never sees', async () => {
    const fault = proxy.at({ statement }).cutBefore();
    await expect(add('a')).rejects.toThrow();
    await fault.happened();
    await add('b', await connect());
    expect(await stored()).toEqual(['b']);
  });

  it.each(['cutAfterForward', 'cutAfterAnswer'] as const)(
    '%s: PostgreSQL runs the statement, and the client sees no answer',
    async (cut) => {
      const fault = proxy.at({ statement })[cut]();
      await expect(add('a')).rejects.toThrow();
      await fault.happened();
      await until(async () => (await stored()).length === 1);
    },
  );

  it('cuts after a forwarded statement that waits in PostgreSQL, which still runs it', async () => {
    const blocker = new pg.Client({ connectionString: database });
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE notes IN ACCESS EXCLUSIVE MODE');
    const fault = proxy.at({ statement }).cutAfterForward();
    await expect(add('a')).rejects.toThrow();
    await fault.happened();
    await blocker.query('COMMIT');
    await blocker.end();
    await until(async () => (await stored()).length === 1);
  });

  it('holds a statement and all behind it until it is released', async () => {
    const fault = proxy.at({ statement }).hold();
    const [first, second] = [add('a'), client.query('SELECT 1')];
    await fault.happened();
    expect(await stored()).toEqual([]);
    fault.release();
    await Promise.all([first, second]);
    expect(await stored()).toEqual(['a']);
  });

  it('cuts when the client has the answer', async () => {
    const fault = proxy.at({ statement }).cutAfterDelivery();
    await add('a');
    await fault.happened();
    await expect(add('b')).rejects.toThrow();
    expect(await stored()).toEqual(['a']);
  });

  it('holds and delays an answer', async () => {
    const fault = proxy.at({ statement }).holdAnswer();
    let isAnswered = false;
    const answer = add('a').then(() => {
      isAnswered = true;
    });
    await fault.happened();
    expect(await stored()).toEqual(['a']);
    expect(isAnswered).toBe(false);
    fault.release();
    await answer;
    proxy.at({ statement }).delayAnswer(200);
    expect(await timeOf(() => add('b'))).toBeGreaterThan(190);
  });

  it('delays a statement, and everything', async () => {
    proxy.at({ statement }).delay(200);
    expect(await timeOf(() => add('a'))).toBeGreaterThan(190);
    proxy.delayAll(100);
    expect(await timeOf(() => add('b'))).toBeGreaterThan(190);
    proxy.mend();
    expect(await timeOf(() => add('c'))).toBeLessThan(190);
  });

  it('ends the direction to the client after a statement', async () => {
    const fault = proxy.at({ statement }).halfClose();
    await expect(add('a')).rejects.toThrow();
    await fault.happened();
    await until(async () => (await stored()).length === 1);
  });

  it('acts only on the connection of a name, after some, so often, and not when it is disarmed', async () => {
    const other = await connect('other');
    const fault = proxy.at({ statement, application, skip: 1, times: 2 }).watch();
    const disarmed = proxy.at({ statement }).cutBefore();
    disarmed.disarm();
    for (const text of ['a', 'b', 'c', 'd']) {
      await add(text, other);
      await add(text);
    }
    await fault.happened(2);
    expect([fault.count, disarmed.count]).toEqual([2, 0]);
  });

  it('cuts all connections, or those of a name', async () => {
    const other = await connect('other');
    proxy.cutAll(application);
    await expect(add('a')).rejects.toThrow();
    await add('b', other);
    proxy.cutAll();
    await expect(add('c', other)).rejects.toThrow();
    await add('d', await connect());
    expect(await stored()).toEqual(['b', 'd']);
  });

  it('refuses new connections, and only those', async () => {
    proxy.refuse();
    await expect(connect()).rejects.toThrow();
    await add('a');
    proxy.mend();
    await connect();
  });

  it('freezes the connections that there are, and only those', async () => {
    proxy.freeze();
    const lost = expect(add('a')).rejects.toThrow();
    await add('b', await connect());
    expect(await stored()).toEqual(['b']);
    proxy.cutAll();
    await lost;
  });

  it('drops everything silently', async () => {
    proxy.blackHole();
    const lost = expect(add('a')).rejects.toThrow();
    await expect(connect()).rejects.toThrow(/timeout/);
    proxy.mend();
    await add('b', await connect());
    expect(await stored()).toEqual(['b']);
    proxy.cutAll();
    await lost;
  });
});

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
