import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { call, callList, callOk } from '../support/api.ts';
import { createCollection, createPage, createSite } from '../support/content.ts';
import { Receiver } from '../support/receiver.ts';
import { makeTempDir, startServer, type TestServer } from '../support/server.ts';

/**
 * What must go out survives `kill -9`: webhooks and runs of workflows that a committed change causes come after the next
 * start. What came twice has the same ID.
 */

let dataDir: string;
let receiver: Receiver;
let server: TestServer;

beforeEach(async () => {
  dataDir = makeTempDir();
  receiver = new Receiver();
  await receiver.listen();
  server = await startServer({ dataDir });
});
afterEach(async () => {
  await server.end('SIGKILL');
  await receiver.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const deliveryIds = () => receiver.received.map(({ headers }) => headers['x-ic-delivery']);
const changesIn = (index: number) => receiver.received[index]?.body['changes'];

async function restart(): Promise<void> {
  await server.end('SIGKILL');
  server = await startServer({ dataDir });
}

function createWebhook(event: string): Promise<Record<string, unknown>> {
  return callOk(server, 'POST', '/webhooks', { url: receiver.url, events: [event] });
}

/** Sends a change and kills the server as soon as the change is committed, so that most clients get no answer. */
async function killAtCommit(change: () => Promise<unknown>): Promise<void> {
  const db = new Connection<object>(join(dataDir, 'content.db'), { readonly: true });
  const newest = () => db.statement('SELECT max(version) AS version FROM commits').first([])?.['version'];
  const before = newest();
  const answer = change().catch(() => undefined);
  while (newest() === before) await new Promise(setImmediate);
  await server.end('SIGKILL');
  db.close();
  await answer;
}

describe('after kill -9', () => {
  it('of a server that has answered a save, its webhook comes, and nothing older', async () => {
    const site = await createSite(server);
    const page = await createPage(server, site, { title: 'Old' });
    await createWebhook('content.changed');
    await callOk(server, 'PUT', `/pages/${page}`, { title: 'New' });
    await restart();
    await receiver.until(1);
    expect(receiver.received[0]?.headers['x-ic-event']).toBe('content.changed');
    expect(changesIn(0)).toMatchObject([{ kind: 'page', action: 'updated', id: page, name: 'New' }]);
  });

  it('between the commit and the answer its webhook comes', async () => {
    const page = await createPage(server, await createSite(server));
    await createWebhook('content.changed');
    await killAtCommit(() => call(server, 'PUT', `/pages/${page}`, { body: { title: 'New' } }));
    server = await startServer({ dataDir });
    await receiver.until(1);
    expect(changesIn(0)).toMatchObject([{ kind: 'page', action: 'updated', id: page, name: 'New' }]);
  });

  it.each(['content.changed', 'schema.changed', 'batch.applied'])(
    'in a delivery of %s it comes again, with the same ID and body',
    async (event) => {
      const site = await createSite(server);
      await createWebhook(event);
      receiver.isSilent = true;
      const data = { title: 'Other' };
      await callOk(server, 'POST', '/batch', { ops: [{ op: 'update', kind: 'page', id: site, data }] });
      await receiver.until(1);
      // Further changes are no part of the repetition.
      await callOk(server, 'PUT', `/pages/${site}`, { html: 'Another' });
      receiver.isSilent = false;
      await restart();
      await receiver.until(2);
      expect(new Set(deliveryIds().slice(0, 2)).size).toBe(1);
      expect(receiver.received[1]?.text).toBe(receiver.received[0]?.text);
      expect(receiver.received[0]?.headers['x-ic-event']).toBe(event);
    },
  );

  it('a change of the schema that was not told yet is told', async () => {
    await createWebhook('schema.changed');
    await killAtCommit(() => createCollection(server, { slug: 'news', fields: [] }));
    server = await startServer({ dataDir });
    await receiver.until(1);
    expect(changesIn(0)).toMatchObject([{ kind: 'collection', action: 'created', slug: 'news' }]);
  });

  it('a workflow that a saved entry starts runs with this entry', async () => {
    await createCollection(server, { slug: 'news', fields: [{ name: 'title', type: 'text' }] });
    await createEventWorkflow();
    const body = { data: { title: 'first' } };
    await killAtCommit(() => call(server, 'POST', '/collections/news/items', { body }));
    server = await startServer({ dataDir });
    await receiver.until(1);
    expect(receiver.received[0]?.body).toMatchObject({ data: { title: 'first' } });
  });

  it('nothing that was delivered comes again', async () => {
    const site = await createSite(server);
    const { id } = await createWebhook('batch.applied');
    const batch = (title: string) =>
      callOk(server, 'POST', '/batch', { ops: [{ op: 'update', kind: 'page', id: site, data: { title } }] });
    await batch('One');
    await receiver.until(1);
    const db = new Connection<object>(join(dataDir, 'content.db'), { readonly: true });
    const waiting = () => db.statement('SELECT count(*) AS rows FROM outbox').first([])?.['rows'];
    while (waiting() !== 0) await new Promise(setImmediate);
    db.close();
    await restart();
    expect(await callList(server, `/webhooks/${id}/deliveries`)).toEqual([]);
    await batch('Two');
    await receiver.until(2);
    expect(new Set(deliveryIds()).size).toBe(2);
    expect(receiver.received).toHaveLength(2);
  });
});

/** A workflow that sends each new entry to the receiver. */
function createEventWorkflow(): Promise<Record<string, unknown>> {
  const flow = {
    nodes: [
      { id: 'in', type: 'event', x: 0, y: 0, config: { collection: 'news', created: true } },
      {
        id: 'out',
        type: 'http-request',
        x: 1,
        y: 0,
        config: { method: 'POST', url: receiver.url, body: 'custom', bodyTemplate: '{{ msg.payload }}' },
      },
    ],
    wires: [{ from: 'in', to: 'out' }],
  };
  return callOk(server, 'POST', '/workflows', { name: 'Send', enabled: true, flow });
}
