import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createPage, createSite, freshName, idOf } from '../support/content.ts';
import { Receiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { discard, restore } from '../support/trash.ts';

/** The contract, "Scheduling": what is due runs by itself; the feed and webhooks tell of it, and of restores. */

let server: TestServer;
let site: number;
let receiver: Receiver;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
});
beforeAll(async () => {
  receiver = new Receiver();
  await receiver.listen();
});
afterAll(async () => {
  await receiver.close();
  await server.stop();
});

/** Sends events to the receiver while some work runs. */
async function withWebhook(body: object, work: () => Promise<unknown>): Promise<void> {
  const webhook = await callOk(server, 'POST', '/webhooks', { url: receiver.url, ...body });
  try {
    await work();
  } finally {
    await call(server, 'DELETE', `/webhooks/${webhook['id']}`);
  }
}

const bodies = () => receiver.received.map(({ body }) => asRecord(body));
const soon = () => Math.floor(Date.now() / 1000) + 1;
const version = async () => (await callOk(server, 'GET', '/changes?since=now'))['version'];
const changesSince = async (since: unknown) => {
  const { changes } = await callOk(server, 'GET', `/changes?since=${since}`);
  return (Array.isArray(changes) ? changes : []).map(asRecord);
};

async function scheduleTitle(page: number, title: string): Promise<number> {
  const set = idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('Launch') }));
  await callOk(server, 'PUT', `/change-sets/${set}/items/page/${page}`, { title });
  return set;
}

const stateOf = async (set: number) => (await callOk(server, 'GET', `/change-sets/${set}`))['state'];

describe('a scheduled change set', () => {
  it('that is due is published, and says so in the feed and to webhooks that name the event', async () => {
    const page = await createPage(server, site);
    const set = await scheduleTitle(page, 'Launched');
    await withWebhook({ events: ['change_set.published', 'change_set.failed'] }, async () => {
      const since = await version();
      await callOk(server, 'PUT', `/change-sets/${set}`, { publish_at: soon() });
      await expect.poll(() => stateOf(set), { timeout: 20_000 }).toBe('published');
      const { name } = await callOk(server, 'GET', `/change-sets/${set}`);
      expect(await changesSince(since)).toMatchObject([
        { kind: 'page', action: 'updated', id: page },
        { kind: 'change_set', action: 'published', id: set, name },
      ]);
      await expect
        .poll(() => bodies().filter(({ id }) => id === set), { timeout: 20_000 })
        .toMatchObject([{ event: 'change_set.published', id: set, name }]);
    });
  });

  it('that cannot be published fails, changes nothing, and says why', async () => {
    const page = await createPage(server, site);
    const set = await scheduleTitle(page, 'Mine');
    await callOk(server, 'PUT', `/pages/${page}`, { title: 'Live' });
    await withWebhook({ events: ['change_set.failed'] }, async () => {
      const since = await version();
      await callOk(server, 'PUT', `/change-sets/${set}`, { publish_at: soon() });
      await expect.poll(() => stateOf(set), { timeout: 20_000 }).toBe('failed');
      expect(await callOk(server, 'GET', `/change-sets/${set}`)).toMatchObject({
        published_at: null,
        failure: { code: 'changeset.conflict', error: expect.any(String), params: { count: 1 } },
      });
      expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ title: 'Live' });
      expect(await changesSince(since)).toMatchObject([{ kind: 'change_set', action: 'failed', id: set }]);
      await expect
        .poll(() => bodies().filter(({ id }) => id === set), { timeout: 20_000 })
        .toMatchObject([{ event: 'change_set.failed', id: set }]);
    });
    expect((await callList(server, '/change-sets?state=failed')).map(({ id }) => id)).toContain(set);
    await callOk(server, 'PUT', `/change-sets/${set}/items/page/${page}`, { title: 'Mine too' });
    expect(await callOk(server, 'GET', `/change-sets/${set}`)).toMatchObject({
      state: 'open',
      failure: null,
    });
  });

  it('tells nothing to webhooks that name no events', async () => {
    const page = await createPage(server, site);
    const set = await scheduleTitle(page, 'Quiet');
    await withWebhook({}, async () => {
      await callOk(server, 'POST', `/change-sets/${set}/publish`, {});
      const isChange = ({ event, changes }: Record<string, unknown>) =>
        event === 'content.changed' && JSON.stringify(changes).includes(`"id":${page}`);
      await expect.poll(() => bodies().some(isChange), { timeout: 20_000 }).toBe(true);
    });
    expect(bodies().filter(({ event, id }) => String(event).startsWith('change_set.') && id === set)).toEqual(
      [],
    );
  });
});

describe('a restore from the trash', () => {
  it('is told to webhooks as a creation', async () => {
    const page = await createPage(server, site, { slug: freshName('back') });
    const entry = await discard(server, `/pages/${page}`, 'page', page);
    await withWebhook({}, async () => {
      expect((await restore(server, entry.id)).status).toBe(200);
      const told = () =>
        bodies()
          .filter(({ event }) => event === 'content.changed')
          .flatMap(({ changes }) => (Array.isArray(changes) ? changes : []).map(asRecord))
          .filter(({ id, action }) => id === page && action !== 'deleted');
      await expect
        .poll(told, { timeout: 20_000 })
        .toMatchObject([{ kind: 'page', action: 'created', id: page }]);
    });
  });
});
