import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../../support/api.ts';
import { createAsset, createSite, freshName, idOf } from '../../support/content.ts';
import { type InProcessServer, startInProcess } from '../../support/in-process.ts';
import { addPerson } from '../../support/people.ts';
import { startServer } from '../../support/server.ts';
import { administrator, setUp, withSession } from '../../support/session.ts';
import { writeContent } from '../../support/shared-database.ts';

/** The contract, "Scheduling". */

const start = Date.UTC(2026, 0, 1);
let now = start;
let server: InProcessServer;
let admin: string;

beforeAll(async () => {
  server = await startInProcess({ clock: () => now });
  admin = await setUp(server);
  await createSite(server);
});
afterAll(() => server.stop());

const inSeconds = (seconds: number) => Math.floor(now / 1000) + seconds;

/** A change set that is due in some seconds and renames an asset, with that asset. */
async function schedule(name: string, seconds: number) {
  const asset = await createAsset(server, { name: 'Base' });
  const set = idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('set') }));
  await callOk(server, 'PUT', `/change-sets/${set}/items/asset/${asset}`, { name });
  await callOk(server, 'PUT', `/change-sets/${set}`, { publish_at: inSeconds(seconds) });
  return { set, asset };
}

const get = (set: number) => callOk(server, 'GET', `/change-sets/${set}`);
const stateOf = async (set: number) => (await get(set))['state'];
async function toldSince(version: unknown) {
  const { changes } = await callOk(server, 'GET', `/changes?since=${version}`);
  return (Array.isArray(changes) ? changes : []).map(asRecord).filter(({ kind }) => kind === 'change_set');
}
const currentVersion = async () => (await callOk(server, 'GET', '/changes?since=now'))['version'];
const published = { timeout: 8_000, interval: 300 };

describe('a scheduled change set', () => {
  it('is published when it is due, in the order of the times, and told in the feed', async () => {
    const since = await currentVersion();
    const late = await schedule('Late', 200);
    const early = await schedule('Early', 100);
    const never = await schedule('Never', 100_000);
    now += 300_000;
    await expect.poll(() => stateOf(late.set), published).toBe('published');
    expect(await stateOf(early.set)).toBe('published');
    expect(await callOk(server, 'GET', `/assets/${late.asset}`)).toMatchObject({ name: 'Late' });
    expect(await stateOf(never.set)).toBe('scheduled');
    const name = expect.any(String);
    expect(await toldSince(since)).toMatchObject([
      { kind: 'change_set', action: 'published', id: early.set, name },
      { kind: 'change_set', action: 'published', id: late.set, name },
    ]);
  });

  it('is not published when its time was taken back', async () => {
    const { set } = await schedule('Taken back', 100);
    await callOk(server, 'PUT', `/change-sets/${set}`, { publish_at: null });
    const other = await schedule('Other', 100);
    now += 200_000;
    await expect.poll(() => stateOf(other.set), published).toBe('published');
    expect(await stateOf(set)).toBe('open');
  });

  it('that has a conflict fails, changes nothing and says why; an edit opens it again', async () => {
    const since = await currentVersion();
    const { set, asset } = await schedule('Mine', 100);
    await callOk(server, 'PUT', `/assets/${asset}`, { name: 'Live' });
    now += 200_000;
    await expect.poll(() => stateOf(set), published).toBe('failed');
    expect(await get(set)).toMatchObject({
      failure: { code: 'changeset.conflict', params: { conflicts: [{ kind: 'asset', id: asset }] } },
      published_at: null,
    });
    expect(await callOk(server, 'GET', `/assets/${asset}`)).toMatchObject({ name: 'Live' });
    expect(await toldSince(since)).toMatchObject([{ kind: 'change_set', action: 'failed', id: set }]);
    await callOk(server, 'PUT', `/change-sets/${set}/items/asset/${asset}`, { folder: 'f' });
    expect(await get(set)).toMatchObject({ state: 'open', failure: null, publish_at: null });
  });

  it('is checked with the present rights of who has scheduled it', async () => {
    // The clock of the tests before has gone on beyond the confirmation of the login.
    const own = { password: administrator.password };
    expect((await call(server, 'POST', '/auth/confirm', withSession(admin, own))).status).toBe(204);
    const [stays, demoted, deleted] = [
      await addPerson(server, admin, [3]),
      await addPerson(server, admin, [3]),
      await addPerson(server, admin, [3]),
    ];
    const made: { readonly set: number; readonly asset: number }[] = [];
    for (const person of [stays, demoted, deleted]) {
      const asset = await createAsset(server, { name: 'Base' });
      const set = idOf(asRecord((await person.ask('POST', '/change-sets', { name: freshName('set') })).body));
      await person.ask('PUT', `/change-sets/${set}/items/asset/${asset}`, { name: 'New' });
      const { status } = await person.ask('PUT', `/change-sets/${set}`, { publish_at: inSeconds(100) });
      expect(status).toBe(200);
      made.push({ set, asset });
    }
    const asAdmin = (method: string, path: string, body?: unknown) =>
      call(server, method, path, withSession(admin, body));
    expect((await asAdmin('PUT', `/users/${demoted.id}`, { role_ids: [4] })).status).toBe(200);
    expect((await asAdmin('DELETE', `/users/${deleted.id}`)).status).toBe(204);
    now += 200_000;
    const [first, ...refused] = made;
    await expect.poll(() => stateOf(first?.set ?? 0), published).toBe('published');
    for (const { set, asset } of refused) {
      await expect.poll(() => stateOf(set), published).toBe('failed');
      expect(await get(set)).toMatchObject({
        failure: { code: 'auth.notAllowed', params: { action: 'publish' } },
      });
      expect(await callOk(server, 'GET', `/assets/${asset}`)).toMatchObject({ name: 'Base' });
    }
  });

  it('that is empty fails', async () => {
    const set = idOf(await callOk(server, 'POST', '/change-sets', { name: 'Empty' }));
    await callOk(server, 'PUT', `/change-sets/${set}`, { publish_at: inSeconds(10) });
    now += 20_000;
    await expect.poll(() => stateOf(set), published).toBe('failed');
    expect(await get(set)).toMatchObject({ failure: { code: 'changeset.empty' } });
  });

  it('that is discarded is not published', async () => {
    const { set } = await schedule('Discarded', 100);
    await call(server, 'DELETE', `/change-sets/${set}`);
    const other = await schedule('Other', 100);
    now += 200_000;
    await expect.poll(() => stateOf(other.set), published).toBe('published');
    expect(await stateOf(set)).toBe('discarded');
  });
});

it('what was due while no server ran is published at the start', async () => {
  const first = await startServer();
  const asset = await createAsset(first, { name: 'Base' });
  const set = idOf(await callOk(first, 'POST', '/change-sets', { name: 'Late' }));
  await callOk(first, 'PUT', `/change-sets/${set}/items/asset/${asset}`, { name: 'Late' });
  await first.end('SIGTERM');
  await writeContent(first.dataDir, async (db) =>
    db.statement(`UPDATE change_sets SET state = 'scheduled', publish_at = 1000 WHERE id = ?`).run([set]),
  );
  const second = await startServer({ dataDir: first.dataDir });
  const name = async () => (await callOk(second, 'GET', `/assets/${asset}`))['name'];
  await expect.poll(name, published).toBe('Late');
  await second.stop();
});
