import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ContentVersion } from '../../server/changes/content-version.ts';
import { type Committed, Followers } from '../../server/changes/followers.ts';
import { Cluster } from '../../server/cluster/index.ts';
import { asRecord, call } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { until } from '../support/nodes.ts';
import { postgresFolder } from '../support/postgres.ts';
import { connections, NodeGroup, saveTitle, statements } from '../support/proxied-nodes.ts';
import { recordingLog } from '../support/quiet-log.ts';
import { makeTempDir } from '../support/server.ts';
import { logIn, setUp, withSession } from '../support/session.ts';
import { nodeKey } from '../support/shared-database.ts';

/**
 * A revoked token is refused on all nodes when the revocation is answered, also where applying it failed on the way:
 * whatever a node has brought into its replica, its caches must learn of.
 */

/** Parts of versions that a node reads at a time. */
const partsPerRead = 16;

describe.skipIf(postgresFolder === undefined)('a token that was revoked', () => {
  let group: NodeGroup;
  let session: string;
  let page: number;

  beforeAll(async () => {
    group = await NodeGroup.start({ leaseSeconds: 6 });
    page = await createPage(group.one, await createSite(group.one));
    await setUp(group.one);
    session = await logIn(group.one);
  });
  afterAll(() => group?.close(), 60_000);
  afterEach(() => group.mend(), 60_000);

  it('is refused by a node whose reading of the log was cut in the middle', async () => {
    const { one, two } = group;
    const { id, secret } = await createToken('cut');
    const statusOnTwo = async () => (await call(two, 'GET', '/pages', { token: secret })).status;
    expect(await statusOnTwo()).toBe(200);

    const readLog = { application: connections.contentReader, statement: statements.readLog };
    const hold = two.proxy.at(readLog).hold();
    const revoked = revoke(id);
    await hold.happened();
    // The revocation is in the first of two reads.
    const saves: Promise<string>[] = [];
    for (let round = 0; round < partsPerRead + 1; round++) {
      const { newest } = await group.contentVersions();
      saves.push(saveTitle(one, page, `Title ${round}`));
      await until(async () => (await group.contentVersions()).newest > newest);
    }
    const cut = two.proxy.at(readLog).cutBefore();
    hold.release();
    await cut.happened();

    expect(await revoked).toBe(204);
    expect([401, 503]).toContain(await statusOnTwo());
    await Promise.all(saves);
    await two.serves();
    expect(await statusOnTwo()).toBe(401);
  });

  it('is known to the caches of a node whose reload has failed once', async () => {
    const folder = makeTempDir();
    const log = recordingLog();
    const node = await Cluster.open(
      { dataDir: folder, leaseSeconds: 6 },
      { url: group.database, encryptionKey: nodeKey },
      { program: 'test', log, busyTimeoutMs: 5000 },
    );
    try {
      const followers = new FailingFollowers(new ContentVersion(), log);
      await node.start({
        ...{ version: new ContentVersion(), followers, onLease() {}, onOutdated() {} },
        findOneNodeRule: async () => undefined,
      });
      await until(async () => node.serves());
      const { id } = await createToken('reload');
      await until(async () => followers.hasSeen('tokens'));

      followers.failNext();
      expect(await revoke(id)).toBe(204);
      expect(node.serves() && !followers.hasSeen('tokens')).toBe(false);
      await until(async () => node.serves() && followers.hasSeen('tokens'));
    } finally {
      await node.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  async function createToken(name: string): Promise<{ readonly id: number; readonly secret: string }> {
    const answer = await call(group.one, 'POST', '/tokens', withSession(session, { name, can_write: true }));
    const { token, secret } = asRecord(answer.body);
    return { id: Number(asRecord(token)['id']), secret: String(secret) };
  }

  async function revoke(id: number): Promise<number> {
    return (await call(group.one, 'DELETE', `/tokens/${id}`, withSession(session))).status;
  }
});

/** Notes which tables it was told of, and fails once when it is to. */
class FailingFollowers extends Followers {
  readonly #seen = new Set<string>();
  #isFailing = false;

  /** The next call fails, and what was seen before is forgotten. */
  failNext(): void {
    this.#seen.clear();
    this.#isFailing = true;
  }

  hasSeen(table: string): boolean {
    return this.#seen.has(table) || this.#seen.has('all');
  }

  override refresh(commit: Committed): Promise<void> | undefined {
    if (this.#isFailing) {
      this.#isFailing = false;
      throw new Error('the reload failed');
    }
    for (const table of commit.tables === 'all' ? ['all'] : commit.tables) this.#seen.add(table);
    return super.refresh(commit);
  }
}
