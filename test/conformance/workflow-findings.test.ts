import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, freshName } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** What a saved flow will not do as its author expects: warnings at the nodes. */

let server: TestServer;
let collection: string;

beforeAll(async () => {
  server = await startServer();
  collection = freshName('things').toLowerCase();
  await createCollection(server, { slug: collection });
  const params = [{ name: 'rate', type: 'number' }];
  const definition = { key: 'tax', name: 'Tax', outputs: ['a'], params, code: 'return msg;' };
  await callOk(server, 'POST', '/flow-nodes', definition);
});
afterAll(() => server.stop());

const start = { id: 'start', type: 'inject' };

/** The warnings about a node behind a start node. */
async function findings(type: string, config: object): Promise<unknown> {
  const nodes = [start, { id: 'n', type, config }];
  return warningsOf({ nodes, wires: [{ from: 'start', to: 'n' }] });
}

async function warningsOf(flow: object): Promise<unknown> {
  const body = { name: freshName('Flow'), flow };
  const { id, warnings } = await callOk(server, 'POST', '/workflows', body);
  // A save of the same says the same, and nothing of it is strict.
  expect((await callOk(server, 'PUT', `/workflows/${id}?strict=1`, { flow }))['warnings']).toEqual(warnings);
  return warnings;
}

const warning = (code: string, params: object, error: string) => ({
  code: `workflow.${code}`,
  level: 'warning',
  error: `node "n"${error}`,
  params: { node: 'n', ...params },
});

describe('placeholders', () => {
  it.each<[string, object, string, string]>([
    ['http-request', { url: 'https://a.test/{{ payload.id }}' }, 'url', '{{ payload.id }}'],
    ['http-request', { url: 'https://a.test/{{ env.KEY }}' }, 'url', '{{ env.KEY }}'],
    ['http-request', { url: 'https://a.test/{{ msg.payload|upper }}' }, 'url', '{{ msg.payload|upper }}'],
    [
      'http-request',
      { url: 'https://a.test/', headers: [{ name: 'X', value: '{{ key }}' }] },
      'headers.0.value',
      '{{ key }}',
    ],
    ['mail', { to: '{{payload.mail}}', subject: 'x' }, 'to', '{{payload.mail}}'],
    ['delay', { seconds: '{{ msg.payload.s }}{{ s }}' }, 'seconds', '{{ s }}'],
  ])('of %s in %j are named at %s', async (type, config, field, placeholder) => {
    expect(await findings(type, config)).toEqual([
      {
        ...warning('placeholderUnknown', { field, placeholder }, ''),
        error: expect.stringContaining(placeholder),
      },
    ]);
  });

  it('are secrets only where a setting takes them', async () => {
    const secret = '{{ secret.KEY }}';
    expect(await findings('http-request', { url: 'https://a.test', bodyTemplate: secret })).toEqual([]);
    const headers = [{ name: 'X', value: secret }];
    expect(await findings('http-response', { headers })).toMatchObject([
      { code: 'workflow.placeholderUnknown', params: { field: 'headers.0.value', placeholder: secret } },
    ]);
  });

  it('in the form that settings know, and braces in code, are no finding', async () => {
    expect(await findings('http-request', { url: '{{ msg.payload["a b"][0].x }}' })).toEqual([]);
    expect(await findings('function', { code: 'return { payload: `{{ payload }}` };' })).toEqual([]);
  });
});

describe('settings', () => {
  it('that are unknown are named with the nearest known one', async () => {
    expect(await findings('http-request', { url: 'https://a.test', methode: 'POST' })).toEqual([
      warning(
        'settingUnknown',
        { field: 'methode', suggestion: 'method' },
        ': the setting "methode" is unknown (did you mean "method"?)',
      ),
    ]);
    expect(await findings('debug', { zzzzzz: 1 })).toEqual([
      warning('settingUnknown', { field: 'zzzzzz' }, ': the setting "zzzzzz" is unknown'),
    ]);
  });

  it('may be parameters of custom nodes, which have their own names', async () => {
    expect(await findings('custom', { node: 'tax', params: { rate: 1 } })).toEqual([]);
    expect(await findings('custom', { node: 'tax', params: { rates: 1 } })).toMatchObject([
      { code: 'workflow.settingUnknown', params: { field: 'params.rates', suggestion: 'rate' } },
    ]);
  });

  it('that name a collection which is not there', async () => {
    expect(await findings('collection', { collection })).toEqual([]);
    expect(await findings('collection', { collection: 'gone' })).toEqual([
      warning(
        'collectionMissing',
        { field: 'collection', collection: 'gone' },
        ': there is no collection "gone"',
      ),
    ]);
  });
});

describe('nodes', () => {
  it('for events that name no event never start', async () => {
    const nodes = (events: object) => [{ id: 'n', type: 'event', config: { collection, ...events } }];
    expect(await warningsOf({ nodes: nodes({ created: true }) })).toEqual([]);
    expect(await warningsOf({ nodes: nodes({}) })).toEqual([
      warning('eventMissing', {}, ': it starts at no event: choose created, updated or deleted'),
    ]);
  });

  it('to which no start node leads never run', async () => {
    const nodes = [start, { id: 'a', type: 'debug' }, { id: 'n', type: 'delay' }, { id: 'm', type: 'debug' }];
    const wires = [
      { from: 'start', to: 'a' },
      { from: 'n', to: 'm' },
    ];
    expect(await warningsOf({ nodes, wires })).toMatchObject([
      { code: 'workflow.nodeUnreachable', params: { node: 'n' } },
      { code: 'workflow.nodeUnreachable', params: { node: 'm' } },
    ]);
    expect(await warningsOf({ nodes: [], wires: [] })).toEqual([]);
  });
});

describe('calls of store and idb without await', () => {
  it.each([
    ['msg.payload = store.get("a");\nreturn msg;', 'store.get', 1, 15],
    ['\n  store.set("a", 1);', 'store.set', 2, 3],
    ['if (store.get("a")) return msg;', 'store.get', 1, 5],
    ['const a = store.get("a"); return { payload: 1 };', 'store.get', 1, 11],
    ['return { payload: (await idb.list("s", "t")).length + idb.get("s", "t", 1).id };', 'idb.get', 1, 55],
    ['const n = store.get("n") ?? 0;\nmsg.payload = n + 1;', 'store.get', 1, 11],
  ])('are found in %j', async (code, called, line, column) => {
    expect(await findings('function', { code })).toEqual([
      warning(
        'awaitMissing',
        { line, column, call: called },
        `, line ${line}, column ${column}: ${called}() gives a promise, write await ${called}(…)`,
      ),
    ]);
  });

  it.each([
    'msg.payload = await store.get("a"); return msg;',
    'return store.get("a");',
    'const [a, b] = await Promise.all([store.get("a"), store.get("b")]);',
    'await Promise.all(["a", "b"].map((key) => store.get(key)));',
    'const p = store.get("a"); msg.payload = await p;',
    'store.set("a", 1).catch(() => {});',
    'const store = { get: 1 }.get;',
    'const text = "store.get(1)"; // store.get(1)',
    'for await (const x of store.keys()) msg.x = x;',
  ])('are none in %j', async (code) => {
    expect(await findings('function', { code })).toEqual([]);
  });

  it('are not looked for in code that does not parse', async () => {
    expect(await findingsOfBrokenCode()).toMatchObject([{ code: 'workflow.codeSyntax' }]);
  });
});

async function findingsOfBrokenCode(): Promise<unknown> {
  const nodes = [start, { id: 'n', type: 'function', config: { code: 'store.get(' } }];
  const flow = { nodes, wires: [{ from: 'start', to: 'n' }] };
  const body = { name: freshName('Flow'), flow };
  expect(outcomeOf(await call(server, 'POST', '/workflows?strict=1', { body }))).toMatchObject({
    status: 422,
  });
  return (await callOk(server, 'POST', '/workflows', body))['warnings'];
}
