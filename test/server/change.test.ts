import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changesSince } from '../../server/changes/change-log.ts';
import { type Change, Changes } from '../../server/changes/changes.ts';
import { type CommitCoordinator, OutcomeUnknown } from '../../server/changes/commit-coordinator.ts';
import { ContentVersion } from '../../server/changes/content-version.ts';
import type { ChangeRecord, Commit } from '../../server/changes/record.ts';
import type { CheckedText, TextReport } from '../../server/changes/text-analysis.ts';
import { Connection } from '../../server/db/connection.ts';
import { type Databases, openDatabases } from '../../server/db/open.ts';
import { contentQuery } from '../../server/db/prepared.ts';
import { recordingLog } from '../support/quiet-log.ts';
import { makeTempDir } from '../support/server.ts';

/** Tests of the numbered invariants at the head of server/change.ts. */

const anyone = { kind: 'none' } as const;
const insertSetting = contentQuery((db, p: { key: string }) =>
  db.insertInto('settings').values({ key: p.key, value: '' }),
);
const selectSettings = contentQuery((db, _p: object) =>
  db.selectFrom('settings').select('key').orderBy('key'),
);

let dataDir: string;
let databases: Databases;
let changes: Changes;
let contentVersion: ContentVersion;
let log: ReturnType<typeof recordingLog>;
let inspect: (text: CheckedText) => TextReport | Promise<TextReport>;

beforeEach(() => {
  dataDir = makeTempDir();
  databases = openDatabases(dataDir, 0);
  log = recordingLog();
  contentVersion = new ContentVersion();
  changes = new Changes({
    writer: databases.content.writer,
    version: contentVersion,
    clock: () => 1_700_000_000_900,
    log,
    busyTimeoutMs: 200,
    inspectText: (text) => inspect(text),
  });
  inspect = () => report();
});
afterEach(() => {
  databases.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Changes that have their order in common with other nodes. */
function sharedChanges(commit: CommitCoordinator['commit']): Changes {
  return new Changes({
    ...{ writer: databases.content.writer, version: contentVersion, clock: Date.now, log },
    order: { commit, begin: async () => {}, end() {}, waitUntilApplied: async () => {} },
  });
}

const write = (key: string) => (change: Change) => insertSetting.run(change.tx, { key });
const react = (listener: (commits: readonly Commit[]) => void) =>
  changes.followers.add({ of: 'content', react: listener });
const version = () => contentVersion.current();
const stored = async () => (await selectSettings.all(databases.content.reader, {})).map((row) => row.key);

describe('a change', () => {
  it('resolves with the value of its work after the commit', async () => {
    const value = await changes.change(anyone, async (change) => {
      await write('a')(change);
      return 7;
    });
    expect(value).toBe(7);
    expect(await stored()).toEqual(['a']);
  });

  it('reads its own writes, and has the time in whole seconds', async () => {
    await changes.change(anyone, async (change) => {
      await write('a')(change);
      expect(await selectSettings.all(change.tx, {})).toEqual([{ key: 'a' }]);
      expect(change.now).toBe(1_700_000_000);
    });
  });

  it('is invisible to readers until it is committed', async () => {
    await changes.change(anyone, async (change) => {
      await write('a')(change);
      expect(await stored()).toEqual([]);
    });
  });

  it('that fails writes nothing and rejects with its error', async () => {
    let reactions = 0;
    react(() => reactions++);
    const failure = new Error('no');
    const failing = changes.change(anyone, async (change) => {
      await write('a')(change);
      change.after(() => reactions++);
      throw failure;
    });
    await expect(failing).rejects.toBe(failure);
    expect({ keys: await stored(), version: version(), reactions }).toEqual({
      keys: [],
      version: 0,
      reactions: 0,
    });
  });
});

describe('changes that wait together', () => {
  it('run one after another in the order of the calls', async () => {
    const order: string[] = [];
    const step = (name: string) =>
      changes.change(anyone, async (change) => {
        order.push(`${name} begins`);
        await write(name)(change);
        order.push(`${name} ends`);
      });
    await Promise.all(['a', 'b', 'c'].map(step));
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('share a commit, and a failing one loses only its own writes', async () => {
    // A group ends after some milliseconds: a busy machine must not split it here.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const commits: number[] = [];
    react((group) => commits.push(group.length));
    const results = await Promise.allSettled([
      changes.change(anyone, write('a')),
      changes.change(anyone, async (change) => {
        await write('b')(change);
        throw new Error('b');
      }),
      // Fails inside SQLite: the first change of the group has the same key.
      changes.change(anyone, write('a')),
      changes.change(anyone, write('c')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await stored()).toEqual(['a', 'c']);
    expect({ commits, version: version() }).toEqual({ commits: [2], version: 2 });
    clock.mockRestore();
  });

  it('all fail when their common commit fails', async () => {
    // A group ends after some milliseconds: a busy machine must not split it here.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    let reactions = 0;
    react(() => reactions++);
    const db = databases.content.writer;
    // SQLite checks a deferred foreign key only at COMMIT.
    db.execute('CREATE TABLE child (id INTEGER REFERENCES pages (id) DEFERRABLE INITIALLY DEFERRED)');
    const results = await Promise.allSettled([
      changes.change(anyone, write('a')),
      changes.change(anyone, async (change) => change.tx.execute('INSERT INTO child VALUES (99)')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect({ keys: await stored(), version: version(), reactions }).toEqual({
      keys: [],
      version: 0,
      reactions: 0,
    });
    await changes.change(anyone, write('b'));
    expect(await stored()).toEqual(['b']);
    clock.mockRestore();
  });

  it('share no commit with one of very many rows, which stands in its place among them', async () => {
    const seen: string[][] = [];
    const look = async (change: Change, key: string) => {
      seen.push(await stored());
      await write(key)(change);
    };
    const failure = new Error('no');
    const outcomes = await Promise.allSettled([
      changes.change(anyone, (change) => look(change, 'a')),
      changes.changeInOwnTransaction(anyone, (change) => look(change, 'b')),
      changes.changeInOwnTransaction(anyone, async (change) => {
        await look(change, 'c');
        throw failure;
      }),
      changes.change(anyone, (change) => look(change, 'd')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual([[], ['a'], ['a', 'b'], ['a', 'b']]);
    expect(await stored()).toEqual(['a', 'b', 'd']);
    expect(changes.figures()).toMatchObject({ commits: 3, changes: 3, waiting: 0 });
  });

  it('are all committed, also very many', async () => {
    const keys = Array.from({ length: 2000 }, (_, index) => `k${String(index).padStart(4, '0')}`);
    await Promise.all(keys.map((key) => changes.change(anyone, write(key))));
    expect(await stored()).toEqual(keys);
    expect(version()).toBe(2000);
  });
});

it('a full disk is common.storageFull, and what was stored before stays', async () => {
  await changes.change(anyone, write('before'));
  const { writer } = databases.content;
  writer.pragma(`max_page_count = ${writer.pragma('page_count')}`);
  const attempts = Array.from({ length: 30 }, (_, index) =>
    changes.change(anyone, write(`${index} ${'x'.repeat(10_000)}`)),
  );
  const outcomes = await Promise.allSettled(attempts);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { code: 'common.storageFull', status: 507 },
    });
  }
  expect(await stored()).toEqual(['before']);
  writer.pragma('max_page_count = 1000000');
  await changes.change(anyone, write('after'));
  expect(await stored()).toEqual(['after', 'before']);
});

describe('after a commit', () => {
  it('the version moves, then listeners run, then tasks of after(), then the caller continues', async () => {
    const order: string[] = [];
    react(() => order.push(`listener at version ${version()}`));
    await changes.change(anyone, async (change) => {
      await write('a')(change);
      change.after(() => order.push('after'));
      order.push(`work at version ${version()}`);
    });
    order.push('caller');
    expect(order).toEqual(['work at version 0', 'listener at version 1', 'after', 'caller']);
  });

  it('listeners get the actor and the records of every change of the group', async () => {
    const seen: Commit[] = [];
    react((commits) => seen.push(...commits));
    const actor = { kind: 'token', id: 3, name: 't', canWrite: true } as const;
    await Promise.all([
      changes.change(actor, async (change) => {
        await write('a')(change);
        change.record({ kind: 'page', action: 'updated', id: 1 });
      }),
      changes.change({ kind: 'master' }, write('b')),
    ]);
    expect(seen).toEqual([
      { actor, records: [{ kind: 'page', action: 'updated', id: 1 }], announcements: [] },
      { actor: { kind: 'master' }, records: [], announcements: [] },
    ]);
  });

  it('of administer() the version stays and listeners are not called, also in a mixed group', async () => {
    const groups: (readonly Commit[])[] = [];
    react((commits) => groups.push(commits));
    const order: string[] = [];
    await changes.changeUnversioned(anyone, async (change) => {
      await write('quiet')(change);
      change.after(() => order.push('after'));
    });
    order.push('caller');
    expect({ order, version: version(), groups }).toEqual({
      order: ['after', 'caller'],
      version: 0,
      groups: [],
    });
    await Promise.all([
      changes.changeUnversioned(anyone, write('quiet too')),
      changes.change(anyone, write('content')),
    ]);
    expect({ version: version(), sizes: groups.map((commits) => commits.length) }).toEqual({
      version: 1,
      sizes: [1],
    });
    expect(await stored()).toEqual(['content', 'quiet', 'quiet too']);
  });

  it('of a change that writes aside only the rows are kept and the version stays; its events are told', async () => {
    const seen: Commit[] = [];
    react((commits) => seen.push(...commits));
    const announcement = { event: 'batch.applied', fields: {}, changes: 0 } as const;
    await changes.change(anyone, (change) => change.writeUnversioned(() => write('silent')(change)));
    await changes.change(anyone, async (change) => {
      await change.writeUnversioned(() => write('told')(change));
      change.announce(announcement);
    });
    expect([version(), await stored()]).toEqual([0, ['silent', 'told']]);
    expect(seen).toEqual([{ actor: anyone, records: [], announcements: [announcement] }]);
    await changes.change(anyone, async (change) => {
      await change.writeUnversioned(() => write('aside')(change));
      await write('content')(change);
    });
    expect(version()).toBe(1);
  });

  it('of a change that wrote nothing the version stays and listeners are not called', async () => {
    const seen: Commit[] = [];
    react((commits) => seen.push(...commits));
    const order: string[] = [];
    const [value] = await Promise.all([
      changes.change(anyone, async (change) => {
        change.after(() => order.push('after'));
        return (await selectSettings.all(change.tx, {})).length;
      }),
      changes.change({ kind: 'master' }, write('a')),
    ]);
    expect({ value, order, version: version() }).toEqual({ value: 0, order: ['after'], version: 1 });
    expect(seen).toEqual([{ actor: { kind: 'master' }, records: [], announcements: [] }]);
  });

  it('a failing listener is logged and the change stays', async () => {
    let reached = false;
    react(() => {
      throw new Error('listener');
    });
    react(() => {
      reached = true;
    });
    await changes.change(anyone, write('a'));
    expect({ keys: await stored(), reached, logged: log.messages }).toEqual({
      keys: ['a'],
      reached: true,
      logged: ['a reaction to a committed change failed'],
    });
  });
});

describe('a rehearsal', () => {
  const told = (record: (entry: ChangeRecord) => void) => record({ kind: 'page', action: 'created', id: 1 });

  it('answers what it has seen and is taken back, with its events, tasks and rows', async () => {
    const commits: Commit[] = [];
    const tasks: string[] = [];
    react((told) => commits.push(...told));
    const before = version();
    const seen = await changes.change(anyone, async (change) => {
      const inside = await change.rehearse(async (inner) => {
        await write('outer')(inner);
        await inner.rehearse(async (innermost) => write('inner')(innermost));
        told(inner.record);
        inner.after(() => tasks.push('after'));
        inner.announce({ event: 'batch.applied', fields: {}, changes: 1 });
        return selectSettings.all(inner.tx, {});
      });
      await change.writeUnversioned(async () => {
        await write('aside')(change);
        await change.rehearse(write('aside too'));
      });
      return inside;
    });
    expect(seen).toEqual([{ key: 'outer' }]);
    expect(await stored()).toEqual(['aside']);
    expect([version(), commits, tasks]).toEqual([before, [], []]);
  });

  it('that fails is taken back, and the change goes on', async () => {
    inspect = () => report();
    const outcome = await changes.change(anyone, async (change) => {
      await write('before')(change);
      const failing = async (inner: Change) => {
        await write('inside')(inner);
        inner.inspect([{ language: 'css', field: 'content', name: 'a', source: 'a{}' }], () => {
          throw new Error('refused');
        });
      };
      const error = await change.rehearse(failing).catch((caught: Error) => caught.message);
      await write('after')(change);
      return error;
    });
    expect(outcome).toBe('refused');
    expect(await stored()).toEqual(['after', 'before']);
  });
});

describe('an attempt', () => {
  it('belongs to its change, and leaves nothing if it fails', async () => {
    const commits: Commit[] = [];
    react((told) => commits.push(...told));
    await changes.change(anyone, async (change) => {
      for (const [id, key] of ['a', 'b'].entries())
        await change
          .attempt(async (inner) => {
            await write(key)(inner);
            inner.record({ kind: 'page', action: 'created', id });
            if (key === 'b') throw new Error('no');
          })
          .catch(() => {});
    });
    expect(await stored()).toEqual(['a']);
    expect(commits.flatMap(({ records }) => records.map(({ id }) => id))).toEqual([0]);
  });
});

describe('a database that another process has locked', () => {
  it('is tried again until the lock ends', async () => {
    const other = new Connection<object>(join(dataDir, 'content.db'));
    other.execute('BEGIN IMMEDIATE');
    const waiting = changes.change(anyone, write('a'));
    setTimeout(() => other.execute('COMMIT'), 60);
    await waiting;
    expect(await stored()).toEqual(['a']);
    other.close();
  });

  it('makes changes fail with common.busy while it stays locked', async () => {
    const other = new Connection<object>(join(dataDir, 'content.db'));
    other.execute('BEGIN IMMEDIATE');
    const refused = { code: 'common.busy', status: 503 };
    await expect(changes.change(anyone, write('a'))).rejects.toMatchObject(refused);
    other.execute('ROLLBACK');
    other.close();
    await changes.change(anyone, write('b'));
    expect(await stored()).toEqual(['b']);
  });
});

describe('changes of several nodes', () => {
  it('fail with common.outcomeUnknown when nobody knows what has become of them', async () => {
    const shared = sharedChanges(() => Promise.reject(new OutcomeUnknown('lost')));
    const unknown = { code: 'common.outcomeUnknown', status: 503 };
    await expect(shared.change(anyone, write('a'))).rejects.toMatchObject(unknown);
    expect(await stored()).toEqual([]);
  });

  it('have an unknown outcome when they are gone before all nodes have applied them', async () => {
    const shared = sharedChanges(async () => {
      databases.content.writer.execute('COMMIT');
      return [Promise.reject(new OutcomeUnknown('restored'))];
    });
    const unknown = { code: 'common.outcomeUnknown', status: 503 };
    await expect(shared.change(anyone, write('a'))).rejects.toMatchObject(unknown);
  });
});

describe('idle()', () => {
  it('waits for all queued changes', async () => {
    const change = changes.change(anyone, write('a'));
    await changes.idle();
    expect(await stored()).toEqual(['a']);
    await change;
    await changes.idle();
  });
});

describe('the change log', () => {
  const insertAsset = contentQuery((db, p: { name: string }) =>
    db
      .insertInto('assets')
      .values({ name: p.name, kind: 'css', content: '', folder: '', created_at: 1, updated_at: 1 }),
  );
  const addAssets = (count: number) => async (change: Change) => {
    for (let number = 0; number < count; number++) await insertAsset.run(change.tx, { name: `a${number}` });
  };
  const kinds = async () =>
    (await changesSince(databases.content.reader, 0)).map(({ kind, id }) => `${kind} ${id}`);

  it('names the rows of every committed change, and no others', async () => {
    await changes.change(anyone, addAssets(2));
    const failing = changes.change(anyone, async (change) => {
      await addAssets(1)(change);
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect({ kinds: await kinds(), version: version() }).toEqual({
      kinds: ['asset 1', 'asset 2'],
      version: 2,
    });
  });

  it('counts a change as one of everything if no trigger tells of it', async () => {
    await changes.change(anyone, write('a'));
    expect(await kinds()).toEqual(['all 0']);
  });

  it('counts a change of very many rows as one of everything', async () => {
    await changes.change(anyone, addAssets(1));
    await changes.change(anyone, addAssets(2001));
    expect({ kinds: await kinds(), version: version() }).toEqual({ kinds: ['asset 1', 'all 0'], version: 2 });
  });

  it('is told to those who follow the version, once', async () => {
    const told: number[] = [];
    changes.followers.add({
      of: 'content',
      refresh: (commit) => void told.push(...commit.changes.map(({ seq }) => seq)),
    });
    await Promise.all([changes.change(anyone, addAssets(2)), changes.change(anyone, addAssets(1))]);
    await changes.changeUnversioned(anyone, write('a'));
    await changes.change(anyone, addAssets(1));
    expect(told).toEqual([1, 2, 3, 4]);
  });

  it('keeps its newest rows only', async () => {
    for (let round = 0; round < 11; round++) await changes.change(anyone, addAssets(2000));
    const rows = await changesSince(databases.content.reader, 0);
    expect([rows.length < 20_000, rows.length >= 10_000, rows.at(-1)?.seq]).toEqual([true, true, 22_000]);
  });
});

function report(...slots: string[]): TextReport {
  return { warnings: [], rendersBlocks: false, slots, references: [], regions: [], unsafe: [] };
}

describe('the inspection of texts', () => {
  const textOf = (source: string): CheckedText => ({
    language: 'template',
    field: 'html',
    name: 'n',
    source,
  });
  const slow = (text: CheckedText) => Promise.resolve(report(text.source));

  it('comes at the end of the change, with a report about each text in order', async () => {
    inspect = (text) => report(text.source);
    const seen: unknown[] = [];
    await changes.change(anyone, async (change) => {
      change.inspect([textOf('a'), textOf('b')], (reports) => void seen.push(reports));
      seen.push('work');
      await write('x')(change);
    });
    expect(seen).toEqual(['work', [report('a'), report('b')]]);
    expect(await stored()).toEqual(['x']);
  });

  it('undoes the change and runs it again when a report must be made first', async () => {
    inspect = slow;
    let runs = 0;
    const seen: unknown[] = [];
    const value = await changes.change(anyone, async (change) => {
      runs++;
      change.inspect([textOf('a')], (reports) => void seen.push(reports));
      change.inspect([textOf('b')], (reports) => void seen.push(reports));
      await write(`x${runs}`)(change);
      return runs;
    });
    expect({ value, runs, stored: await stored() }).toEqual({ value: 2, runs: 2, stored: ['x2'] });
    expect(seen).toEqual([[report('a')], [report('b')]]);
    expect(version()).toBe(1);
  });

  it('lets other changes through while a report is made', async () => {
    let finish: (made: TextReport) => void = () => {};
    inspect = () => new Promise((resolve) => (finish = resolve));
    const waiting = changes.change(anyone, async (change) => {
      change.inspect([textOf('a')], () => {});
      await write('slow')(change);
    });
    await changes.change(anyone, write('quick'));
    expect(await stored()).toEqual(['quick']);
    finish(report());
    await waiting;
    expect((await stored()).sort()).toEqual(['quick', 'slow']);
  });

  it('refuses the change with an error of its user, or of the analysis', async () => {
    const inspected = (use: () => void) =>
      changes.change(anyone, async (change) => {
        change.inspect([textOf('a')], use);
        await write('x')(change);
      });
    await expect(
      inspected(() => {
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    inspect = () => Promise.reject(new Error('worker died'));
    await expect(inspected(() => {})).rejects.toThrow('worker died');
    expect(await stored()).toEqual([]);
  });

  it('gives up when every run brings new texts', async () => {
    inspect = slow;
    let runs = 0;
    const endless = changes.change(anyone, async (change) => {
      runs++;
      change.inspect([textOf(`text ${runs}`)], () => {});
    });
    await expect(endless).rejects.toMatchObject({ code: 'common.busy' });
    expect(runs).toBe(10);
  });
});
