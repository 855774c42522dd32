import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { createPage, createSite, createSnippet, freshName, freshSlug } from '../support/content.ts';
import { EventReader } from '../support/event-reader.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { withPossibleFronts } from '../support/possible-fronts.ts';
import { ManualTimers } from '../support/receiver.ts';
import { startServer } from '../support/server.ts';

/** `GET /changes` as server-sent events. */

let server: InProcessServer;
let timers: ManualTimers;
let site: number;

beforeAll(async () => {
  server = await startInProcess({ later: (ms, task) => timers.later(ms, task) });
  timers = new ManualTimers();
  site = await createSite(server);
});
beforeEach(() => {
  timers = new ManualTimers();
});
// One check serves all streams: the next test must not find that of a stream whose end comes late.
afterEach(() => expect.poll(() => timers.planned).toEqual([]));
afterAll(() => server.stop());

const openStream = (query: string, headers: Record<string, string> = {}, url = server.url) =>
  EventReader.open(url, `/changes${query}`, headers);

const newest = async () => Number((await callOk(server, 'GET', '/changes?since=now'))['version']);

describe('GET /changes?since=now', () => {
  it('is the version to begin with', async () => {
    const { version, changes, more } = await callOk(server, 'GET', '/changes?since=now');
    expect([changes, more]).toEqual([[], false]);
    const name = freshName('s');
    const id = await createSnippet(server, { name });
    expect((await callOk(server, 'GET', `/changes?since=${version}`))['changes']).toMatchObject([
      { kind: 'snippet', action: 'created', id, name },
    ]);
  });
});

describe('the event stream', () => {
  it('tells each commit as it comes, with its changes', async () => {
    const since = await newest();
    const stream = await openStream('?since=now');
    expect(await stream.next()).toEqual({ id: since, event: undefined, data: undefined });
    const slug = freshSlug();
    const page = await createPage(server, site, { slug, title: 'News' });
    const common = { version: expect.any(Number), at: expect.any(Number), actor: 'Master-Token' };
    const event = await stream.next();
    expect(event).toEqual({
      id: asRecord(event.data)['version'],
      event: 'change',
      data: { ...common, changes: [{ kind: 'page', action: 'created', id: page, slug, name: 'News' }] },
    });
    const ops = [1, 2, 3].map(() => ({
      op: 'create',
      kind: 'snippet',
      data: { name: freshName('b'), content: '' },
    }));
    await callOk(server, 'POST', '/batch', { ops });
    const batch = await stream.next();
    expect(asRecord(batch.data)['changes']).toHaveLength(3);
    expect(batch.id).toBeGreaterThan(event.id);
    stream.close();
  });

  it('goes on where a client was cut off, whatever its address says', async () => {
    const first = await openStream('?since=now');
    const { id: start } = await first.next();
    const one = await createSnippet(server, { name: freshName('one') });
    const { id } = await first.next();
    first.close();
    const two = await createSnippet(server, { name: freshName('two') });
    const idsAfter = async (lastId: number, count: number) => {
      const stream = await openStream('?since=0', { 'Last-Event-ID': String(lastId) });
      expect(await stream.next()).toMatchObject({ id: lastId });
      const events = [];
      for (let left = count; left > 0; left--) events.push(await stream.next());
      stream.close();
      return events.map(({ data }) => asRecord([asRecord(data)['changes']].flat()[0])['id']);
    };
    expect(await idsAfter(id, 1)).toEqual([two]);
    expect(await idsAfter(start, 2)).toEqual([one, two]);
  });

  it('has the same changes as the feed, in a long log too', async () => {
    const since = await newest();
    for (let count = 0; count < 120; count++) await createSnippet(server, { name: freshName('n') });
    const feed = await callOk(server, 'GET', `/changes?since=${since}&limit=1000`);
    const stream = await openStream(`?since=${since}`);
    await stream.next();
    const told: unknown[] = [];
    for (let count = 0; count < 120; count++) {
      const { version, at, actor, changes } = asRecord((await stream.next()).data);
      told.push(...[changes].flat().map((change) => ({ version, at, actor, ...asRecord(change) })));
    }
    expect(told).toEqual(feed['changes']);
    stream.close();
  });

  it('shows every 15 s that it works', async () => {
    const stream = await openStream('?since=now');
    await stream.next();
    await expect.poll(() => timers.planned).toEqual([1000, 600_000, 15_000]);
    timers.fire(15_000);
    expect(await stream.block()).toBe(':');
    await expect.poll(() => timers.planned).toEqual([1000, 600_000, 15_000]);
    stream.close();
    await expect.poll(() => timers.planned).toEqual([]);
  });

  it('ends after ten minutes', async () => {
    const stream = await openStream('?since=now');
    await stream.next();
    await expect.poll(() => timers.planned).toEqual([1000, 600_000, 15_000]);
    timers.fire(600_000);
    expect(await stream.block()).toBeUndefined();
    expect(timers.planned).toEqual([]);
  });

  it('is for everyone who may read; refusals are plain answers', async () => {
    const headers = { Accept: 'text/event-stream' };
    const refused = async (query: string, more: Record<string, string> = {}) =>
      outcomeOf(await call(server, 'GET', `/changes${query}`, { headers: { ...headers, ...more } }));
    expect(await refused('?since=999999999')).toEqual({ status: 410, code: 'changes.gone' });
    expect(await refused('')).toEqual({ status: 400, code: 'common.invalid' });
    expect(await refused('?since=now', { 'Last-Event-ID': '999999999' })).toEqual({
      status: 410,
      code: 'changes.gone',
    });
    const anonymous = await fetch(`${server.url}/api/v1/changes?since=now`, { headers });
    expect(anonymous.status).toBe(401);
  });
});

it.each(
  withPossibleFronts([
    ['node', '1'],
    ['uws', '2'],
  ]),
)('a stop of the server ends event streams: -front %s -front-threads %s', async (front, threads) => {
  const own = await startServer({ args: ['-front', front, '-front-threads', threads] });
  const stream = await openStream('?since=now', {}, own.url);
  await stream.next();
  await createSnippet(own, { name: 'a' });
  expect(await stream.next()).toMatchObject({ event: 'change' });
  await own.stop();
  // A connection that is closed in the middle, after the time for running requests, would be an error.
  expect(await stream.block()).toBeUndefined();
});
