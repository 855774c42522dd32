import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Changes } from '../../server/changes/changes.ts';
import type { CommitCoordinator } from '../../server/changes/commit-coordinator.ts';
import { ContentVersion } from '../../server/changes/content-version.ts';
import { EventOutbox } from '../../server/changes/event-outbox.ts';
import { listOutboxEvents } from '../../server/changes/outbox-store.ts';
import type { Outlet } from '../../server/changes/outlets.ts';
import { type Databases, openDatabases } from '../../server/db/open.ts';
import { contentQuery } from '../../server/db/prepared.ts';
import { until } from '../support/nodes.ts';
import { recordingLog } from '../support/quiet-log.ts';
import { makeTempDir } from '../support/server.ts';

/** Tests of the rules at the head of server/changes/event-outbox.ts. */

const master = { kind: 'master' } as const;
const insertSetting = contentQuery((db, p: { key: string }) =>
  db.insertInto('settings').values({ key: p.key, value: '' }),
);

let dataDir: string;
let databases: Databases;
let log: ReturnType<typeof recordingLog>;
let opened: EventOutbox[];

beforeEach(() => {
  dataDir = makeTempDir();
  databases = openDatabases(dataDir, 0);
  log = recordingLog();
  opened = [];
});
afterEach(async () => {
  for (const outbox of opened) await outbox.close();
  databases.close();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Options {
  readonly send: Outlet['send'];
  readonly isLeader?: () => boolean;
  readonly applied?: () => Promise<void>;
}

/** An outbox whose outlet stores the name of each record. Without an order of nodes it is alone. */
async function open({ send, isLeader, applied }: Options): Promise<Changes> {
  const { writer, reader } = databases.content;
  const order: CommitCoordinator = {
    begin: async () => {},
    commit: async () => {
      writer.execute('COMMIT');
      return [Promise.resolve()];
    },
    end: () => {},
    waitUntilApplied: () => applied?.() ?? Promise.resolve(),
  };
  const changes = new Changes({
    ...{ writer, log, version: new ContentVersion(), clock: () => 1_700_000_000_900 },
    order: applied === undefined ? undefined : order,
  });
  const outbox = new EventOutbox({ reader, changes, log, isLeader });
  opened.push(outbox);
  changes.followers.add(outbox.follower());
  changes.outlets.add({
    name: 'test',
    of: ['page'],
    collect: ({ records }) => records.map(({ name }) => ({ event: 'saved', payload: { name } })),
    send,
  });
  await outbox.start();
  return changes;
}

function save(changes: Changes, name: string): Promise<void> {
  return changes.change(master, async (change) => {
    await insertSetting.run(change.tx, { key: name });
    change.record({ kind: 'page', action: 'updated', id: 1, name });
    if (name === 'refused') throw new Error('refused');
  });
}

const stored = async () =>
  (await listOutboxEvents(databases.content.reader, 'test', 0, 100)).map(({ payload }) => payload);
const noop = (): void => {};

describe('an event', () => {
  it('is stored with its change, and not with one that fails', async () => {
    const changes = await open({ send: noop, isLeader: () => false });
    await Promise.allSettled([save(changes, 'a'), save(changes, 'refused'), save(changes, 'b')]);
    expect(await stored()).toEqual(['{"name":"a"}', '{"name":"b"}']);
  });

  it('is not asked of an outlet that the change does not concern', async () => {
    const changes = await open({ send: noop, isLeader: () => false });
    const collect = vi.fn(() => []);
    changes.outlets.add({ name: 'items', of: ['item', 'batch.applied'], collect, send: noop });
    await save(changes, 'a');
    expect(collect).not.toHaveBeenCalled();
    await changes.change(master, async (change) =>
      change.announce({ event: 'batch.applied', fields: {}, changes: 1 }),
    );
    expect(collect).toHaveBeenCalledOnce();
  });

  it('is sent in order, and deleted when its outlet is done', async () => {
    const sent: string[] = [];
    const changes = await open({
      async send({ event, at, payload }, done) {
        sent.push(`${event} ${at} ${payload}`);
        await new Promise(setImmediate);
        done();
      },
    });
    await Promise.all(['a', 'b', 'c'].map((name) => save(changes, name)));
    await until(async () => (await stored()).length === 0);
    expect(sent).toEqual(['a', 'b', 'c'].map((name) => `saved 1700000000 {"name":"${name}"}`));
  });

  it('is sent again by the next start as long as its outlet is not done, with the same number', async () => {
    const seqs: number[] = [];
    const changes = await open({ send: ({ seq }) => void seqs.push(seq) });
    await save(changes, 'a');
    await until(async () => seqs.length === 1);
    await opened.pop()?.close();
    await open({
      send({ seq }, done) {
        seqs.push(seq);
        done();
      },
    });
    await until(async () => (await stored()).length === 0);
    expect(seqs).toEqual([seqs[0], seqs[0]]);
  });

  it('whose outlet fails is tried again, before later ones', async () => {
    const sent: string[] = [];
    const changes = await open({
      send({ payload }, done) {
        sent.push(payload);
        if (sent.length === 1) throw new Error('later');
        done();
      },
    });
    await Promise.all([save(changes, 'a'), save(changes, 'b')]);
    await until(async () => (await stored()).length === 0);
    expect(sent).toEqual(['{"name":"a"}', '{"name":"a"}', '{"name":"b"}']);
    expect(log.messages).toEqual(['events could not be sent, they are tried again']);
  });

  it('waits until all nodes have applied its change', async () => {
    const sent: string[] = [];
    const everywhere = Promise.withResolvers<void>();
    let asked = 0;
    const changes = await open({
      send: ({ payload }) => void sent.push(payload),
      isLeader: () => true,
      applied() {
        asked += 1;
        return everywhere.promise;
      },
    });
    await save(changes, 'a');
    await until(async () => asked > 0);
    expect(sent).toEqual([]);
    everywhere.resolve();
    await until(async () => sent.length === 1);
  });

  it('is sent by another node when that leads', async () => {
    const sent: string[] = [];
    let isLeader = false;
    const changes = await open({ send: ({ payload }) => void sent.push(payload), isLeader: () => isLeader });
    await save(changes, 'a');
    await new Promise(setImmediate);
    expect(sent).toEqual([]);
    isLeader = true;
    await until(async () => sent.length === 1);
  });
});

it('numbers are never given again', async () => {
  const seqs: number[] = [];
  const changes = await open({
    send({ seq }, done) {
      seqs.push(seq);
      done();
    },
  });
  for (const name of ['a', 'b']) {
    await save(changes, name);
    await until(async () => seqs.length > 0 && (await stored()).length === 0);
  }
  expect(new Set(seqs).size).toBe(2);
});
