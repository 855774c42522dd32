import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import type { ContentTables } from '../../server/db/tables.ts';
import { requireParameters } from '../../server/features/workflows/custom-nodes/rules.ts';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { fakeCode } from '../support/code-runner.ts';
import { createCollection, createItem, freshName } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { ManualTimers } from '../support/receiver.ts';
import { invalid } from '../support/scenarios.ts';
import { contentFile } from '../support/shared-database.ts';

/** Data, Automation and Operations, "Workflow run", and what each type of node does. */

type Fields = Readonly<Record<string, unknown>>;

let server: InProcessServer;
let other: Server;
let otherUrl: string;
let timers: ManualTimers;
let dataDir: string;
const mails: unknown[] = [];
const databaseCalls: unknown[] = [];
const asked: { method: string; url: string; headers: Fields; body: string }[] = [];

beforeAll(async () => {
  other = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const status = url.startsWith('/broken') ? 503 : 200;
    const isText = url.startsWith('/text');
    const isEmpty = url.startsWith('/empty');
    response.writeHead(status, {
      'Content-Type': isText ? 'text/plain' : 'application/json',
      'X-From': 'other',
    });
    if (isEmpty) response.end();
    else response.end(isText ? (url === '/text/plain' ? 'plain' : '[1]') : '{"ok":true}');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  // Type boundary: a server that listens on a port has an address.
  otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  server = await startInProcess({
    prepare: (dir) => {
      dataDir = dir;
    },
    later: (ms, task) => timers.later(ms, task),
    workflowParts: {
      code: fakeCode({
        double: ({ msg }) => ({ ...msg, payload: Number(msg['payload']) * 2 }),
        split: ({ msg }) => [{ payload: 'left' }, null, [msg, { payload: 'again' }]],
        nothing: () => undefined,
        fail: () => {
          throw new Error('no such thing');
        },
        warn: ({ node, console, msg }) => {
          node.warn('careful');
          console.log('seen');
          return msg;
        },
        count: async ({ store }) => {
          const count = Number((await store.get('count')) ?? 0) + 1;
          await store.set('count', count);
          return { payload: { count, keys: await store.keys() } };
        },
        callForever: async ({ store }) => {
          for (;;) await store.get('x');
        },
        largeValue: ({ store }) => store.set('large', 'x'.repeat(2 ** 20)),
        largeMessage: () => ({ payload: 'x'.repeat(11 * 2 ** 20) }),
        query: async ({ idb }) => ({ payload: await idb.list('crm', 'people', { limit: 2 }) }),
      }),
      mail: {
        isSetUp: true,
        async send(mail) {
          mails.push(mail);
        },
      },
      databases: {
        async call(connection, action, args) {
          databaseCalls.push({ connection, action, args });
          return [{ id: 1 }];
        },
      },
      secrets: {
        value: (name) => (name === 'KEY' ? 'top secret' : undefined),
        mask: (text) => text.replaceAll('top secret', '***'),
      },
      definitions: {
        find: (key) =>
          key === 'doubler'
            ? {
                ...{ id: 1, key, name: 'Doubler', description: '', color: '', created_at: 1, updated_at: 1 },
                ...{ inputs: 1, outputs: ['out'], code: 'double' },
                params: [{ name: 'by', type: 'number', default: 2 }],
              }
            : undefined,
        parametersOf: ({ params }, given) => requireParameters(params, given),
      },
    },
  });
});
beforeEach(() => {
  timers = new ManualTimers();
  asked.length = 0;
  mails.length = 0;
  databaseCalls.length = 0;
});
afterAll(async () => {
  await server.stop();
  other.closeAllConnections();
  other.close();
});

const node = (id: string, type: string, config: Fields = {}, name = '') => ({ id, type, config, name });
const wire = (from: string, to: string, out = 0) => ({ from, out, to });

async function create(nodes: readonly object[], wires: readonly object[] = []): Promise<number> {
  const flow = { nodes, wires };
  return Number((await callOk(server, 'POST', '/workflows', { name: freshName('Flow'), flow }))['id']);
}

/** Runs start, the given node, and a debug node behind each of its outputs. Resolves with the run. */
async function runNode(type: string, config: Fields, message: unknown = {}, outputs = 1): Promise<Fields> {
  const ends = Array.from({ length: outputs }, (_, index) => `out${index}`);
  const id = await create(
    [
      node('start', 'inject'),
      node('it', type, config),
      ...ends.map((end) => node(end, 'debug', { property: 'msg' })),
    ],
    [wire('start', 'it'), ...ends.map((end, index) => wire('it', end, index))],
  );
  return run(id, { payload: message });
}

async function run(id: number, body: Fields = {}): Promise<Fields> {
  return asRecord((await callOk(server, 'POST', `/workflows/${id}/run`, body))['run']);
}

/** Writes values into the store of a workflow, because setting them one by one takes long. */
function fillStore(id: number, count: number): void {
  const db = new Connection<ContentTables>(contentFile(dataDir));
  db.statement(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     INSERT INTO workflow_values (workflow_id, key, value, updated_at) SELECT ?, 'key ' || n, '1', 1 FROM numbers`,
  ).run([count, id]);
  db.close();
}

/** The messages that the debug nodes of a run got, by their ID. */
function shown({ logs }: Fields): Record<string, unknown[]> {
  const found: Record<string, unknown[]> = {};
  for (const entry of recordsIn(logs))
    if (entry['level'] === 'debug')
      found[String(entry['node'])] = [
        ...(found[String(entry['node'])] ?? []),
        JSON.parse(String(entry['message'])),
      ];
  return found;
}

function recordsIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.map(asRecord) : [];
}

describe('a run', () => {
  it('has all fields', async () => {
    const id = await create(
      [node('a', 'inject', { payload: '{"n": 1}' }), node('b', 'debug', { property: 'payload.n' }, 'Show')],
      [wire('a', 'b')],
    );
    const { updated_at: before } = await callOk(server, 'GET', `/workflows/${id}`);
    const answer = await callOk(server, 'POST', `/workflows/${id}/run`);
    expect(answer).toEqual({
      run: {
        id: expect.any(Number),
        workflow_id: id,
        trigger: 'manual',
        status: 'ok',
        error: '',
        result: '{"n":1}',
        logs: [{ level: 'debug', node: 'b', label: 'Show', message: '1', time: expect.any(Number) }],
        trace: [
          {
            node: 'a',
            time: expect.any(Number),
            ms: expect.any(Number),
            in: '{}',
            out: ['{"payload":{"n":1}}'],
          },
          { node: 'b', time: expect.any(Number), ms: expect.any(Number), in: '{"payload":{"n":1}}', out: [] },
        ],
        started_at: expect.any(Number),
        duration_ms: expect.any(Number),
      },
    });
    expect(await callList(server, `/workflows/${id}/runs`)).toEqual([answer['run']]);
    const { started_at: last } = asRecord(answer['run']);
    const workflow = await callOk(server, 'GET', `/workflows/${id}`);
    expect(workflow).toMatchObject({ last_run_at: last, last_status: 'ok', updated_at: before });
  });

  it('starts at the named node, else at the first inject, else at the first start node', async () => {
    const inputs = () => [
      node('in', 'http-in', { path: freshName('p') }),
      node('event', 'event', { collection: 'x' }),
    ];
    const withInject = await create([...inputs(), node('first', 'inject'), node('second', 'inject')]);
    const without = await create([node('debug', 'debug'), ...inputs()]);
    const startOf = async (id: number, body: Fields = {}) =>
      recordsIn((await run(id, body))['trace'])[0]?.['node'];
    expect(await startOf(withInject)).toBe('first');
    expect(await startOf(withInject, { node: 'second' })).toBe('second');
    expect(await startOf(without)).toBe('in');
    for (const [id, body] of [
      [withInject, { node: 'nobody' }],
      [without, { node: 'debug' }],
      [await create([node('debug', 'debug')]), {}],
    ] as const) {
      const answer = await call(server, 'POST', `/workflows/${id}/run`, { body });
      expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
      expect(asRecord(answer.body)['params']).toMatchObject({ field: 'node' });
    }
  });

  it('takes the sent payload as it is', async () => {
    const id = await create([node('a', 'inject', { payload: '1' })]);
    for (const payload of ['{"n": 1}', { n: 1 }, null, [1], 5])
      expect(recordsIn((await run(id, { payload }))['trace'])[0]?.['in']).toBe(JSON.stringify({ payload }));
  });

  it('of a flow that is not saved is logged too, and that flow is checked', async () => {
    const id = await create([]);
    const flow = { nodes: [node('a', 'inject', { payload: 'unsaved' })] };
    expect(await run(id, { flow })).toMatchObject({ status: 'ok', result: 'unsaved' });
    expect(await callList(server, `/workflows/${id}/runs`)).toHaveLength(1);
    const wrong = { flow: { nodes: [node('a', 'delay', { seconds: 999 })] } };
    const answer = await call(server, 'POST', `/workflows/${id}/run`, { body: wrong });
    expect(answer).toMatchObject({ body: { params: invalid('flow.nodes.0.config.seconds').params } });
  });

  it('of a disabled workflow works', async () => {
    const id = await create([node('a', 'inject')]);
    await callOk(server, 'PUT', `/workflows/${id}`, { enabled: false });
    expect(await run(id)).toMatchObject({ status: 'ok' });
  });

  it('that reaches an http-response has a response', async () => {
    const id = await create(
      [
        node('a', 'inject', { payload: '{"a":1}' }),
        node('b', 'http-response', { status: 201 }),
        node('c', 'debug'),
      ],
      [wire('a', 'b'), wire('a', 'c')],
    );
    expect(await callOk(server, 'POST', `/workflows/${id}/run`)).toMatchObject({
      run: { status: 'ok', result: '{"a":1}', logs: [{ node: 'c' }] },
      response: { status: 201, headers: {}, body: { a: 1 } },
    });
  });

  it('gives an http-in a request that never was', async () => {
    const path = freshName('path');
    const id = await create(
      [node('in', 'http-in', { path, method: 'POST' }), node('d', 'debug', { property: 'msg' })],
      [wire('in', 'd')],
    );
    expect(shown(await run(id, { payload: { a: 1 } }))).toEqual({
      d: [
        {
          payload: { a: 1 },
          req: { method: 'POST', path: `/${path}`, params: {}, query: {}, headers: {}, body: { a: 1 } },
        },
      ],
    });
  });

  it('ends at the first error, which names workflow, node, line and column', async () => {
    const id = await create(
      [node('a', 'inject'), node('f', 'function', { code: 'fail' }, 'Check'), node('d', 'debug')],
      [wire('a', 'f'), wire('f', 'd')],
    );
    const { name } = await callOk(server, 'GET', `/workflows/${id}`);
    const failed = await run(id);
    expect(failed).toMatchObject({
      status: 'error',
      error: `workflow "${name}", node "Check": Error: no such thing (line 2, column 5)`,
      logs: [
        { level: 'error', node: 'f', label: 'Check', message: expect.stringContaining('no such thing') },
      ],
    });
    expect(await callOk(server, 'GET', `/workflows/${id}`)).toMatchObject({ last_status: 'error' });
  });

  it('is kept among the last 50, and cleared', async () => {
    const id = await create([node('a', 'inject')]);
    const ids: unknown[] = [];
    for (let count = 0; count < 52; count += 1) ids.unshift((await run(id, { payload: count }))['id']);
    expect((await callList(server, `/workflows/${id}/runs`)).map((entry) => entry['id'])).toEqual(
      ids.slice(0, 50),
    );
    expect((await call(server, 'DELETE', `/workflows/${id}/runs`)).status).toBe(204);
    expect(await callList(server, `/workflows/${id}/runs`)).toEqual([]);
    expect(await callOk(server, 'GET', `/workflows/${id}`)).toMatchObject({ last_status: 'ok' });
    expect(await callOk(server, 'GET', `/workflows/${id}/stats`)).toMatchObject({ runs: 52, errors: 0 });
  });

  it('can be repeated with the present flow', async () => {
    const id = await create([node('a', 'inject'), node('b', 'debug')], [wire('a', 'b')]);
    const { id: first } = await run(id, { payload: { name: 'Ada' } });
    const nodes = [node('a', 'inject'), node('c', 'debug', { property: 'payload.name' })];
    await callOk(server, 'PUT', `/workflows/${id}`, { flow: { nodes, wires: [wire('a', 'c')] } });
    const repeated = await callOk(server, 'POST', `/workflows/${id}/runs/${first}/retry`);
    expect(repeated['run']).toMatchObject({ trigger: 'manual', logs: [{ node: 'c', message: 'Ada' }] });
    await callOk(server, 'PUT', `/workflows/${id}`, { flow: { nodes: [node('z', 'inject')] } });
    expect(outcomeOf(await call(server, 'POST', `/workflows/${id}/runs/${first}/retry`))).toEqual({
      status: 409,
      code: 'workflow.notRepeatable',
    });
    expect((await call(server, 'POST', `/workflows/${id}/runs/99999/retry`)).status).toBe(404);
  });

  it('is counted by day', async () => {
    const id = await create([node('a', 'inject'), node('f', 'function', { code: 'fail' })], [wire('a', 'f')]);
    await run(id);
    await run(id);
    const stats = await callOk(server, 'GET', `/workflows/${id}/stats`);
    expect(stats).toEqual({
      runs: 2,
      errors: 2,
      days: [
        {
          day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
          runs: 2,
          errors: 2,
          p50_ms: expect.any(Number),
          p99_ms: expect.any(Number),
        },
      ],
    });
    expect(await callOk(server, 'GET', `/workflows/${id}/stats?to=2001-02-03`)).toEqual({
      runs: 0,
      errors: 0,
      days: [],
    });
    for (const query of ['from=2001-02-30', 'from=2002-01-01&to=2001-01-01', 'to=x'])
      expect((await call(server, 'GET', `/workflows/${id}/stats?${query}`)).status).toBe(400);
  });

  it('ends when its workflow is deleted', async () => {
    const id = await create([node('a', 'inject'), node('b', 'delay', { seconds: 10 })], [wire('a', 'b')]);
    const running = call(server, 'POST', `/workflows/${id}/run`);
    while (!timers.planned.includes(10_000)) await new Promise(setImmediate);
    await call(server, 'DELETE', `/workflows/${id}`);
    expect(await running).toMatchObject({ body: { run: { error: expect.stringContaining('was deleted') } } });
  });

  it('may take five minutes', async () => {
    const id = await create([node('a', 'inject'), node('b', 'delay', { seconds: 10 })], [wire('a', 'b')]);
    const running = call(server, 'POST', `/workflows/${id}/run`);
    while (!timers.planned.includes(10_000)) await new Promise(setImmediate);
    timers.fire(300_000);
    expect(await running).toMatchObject({
      status: 200,
      body: { run: { status: 'error', error: expect.stringContaining('longer than 300 seconds') } },
    });
  });
});

describe('bounds', () => {
  it('end a circle of wires', async () => {
    const id = await create(
      [node('a', 'inject'), node('b', 'switch', { rules: [{ op: 'else' }] }), node('c', 'debug')],
      [wire('a', 'b'), wire('b', 'b'), wire('b', 'c')],
    );
    const endless = await run(id);
    expect(endless).toMatchObject({ status: 'error', error: expect.stringContaining('10000 executions') });
    expect(endless['trace']).toHaveLength(500);
    expect(endless['logs']).toHaveLength(1000);
    expect(recordsIn(endless['logs']).at(-1)).toMatchObject({
      message: expect.stringContaining('log is full'),
    });
  });

  it('end a circle that doubles its messages', async () => {
    const id = await create(
      [node('a', 'inject'), node('b', 'switch', { rules: [{ op: 'else' }] })],
      [wire('a', 'b'), wire('b', 'b'), wire('b', 'b')],
    );
    expect(await run(id)).toMatchObject({ status: 'error', error: expect.stringContaining('10000') });
  });

  it('refuse a message above 10 MB', async () => {
    const result = await runNode('function', { code: 'largeMessage' });
    expect(result).toMatchObject({ status: 'error', error: expect.stringContaining('larger than 10 MB') });
  });

  it('cut the trace at 2,000 characters', async () => {
    const id = await create([node('a', 'inject')]);
    const [entry] = recordsIn((await run(id, { payload: 'x'.repeat(5000) }))['trace']);
    expect(String(entry?.['in'])).toHaveLength(2000);
  });
});

describe('inject', () => {
  it.each([
    ['{"a": [1]}', { a: [1] }],
    ['5', 5],
    ['plain text', 'plain text'],
    ['', ''],
  ])('reads %j as JSON if it can', async (payload, expected) => {
    const id = await create(
      [node('a', 'inject', { payload }), node('b', 'debug', { property: 'msg' })],
      [wire('a', 'b')],
    );
    expect(shown(await run(id))).toEqual({ b: [{ payload: expected }] });
  });
});

describe('function', () => {
  it('sends what its code returns', async () => {
    expect(shown(await runNode('function', { code: 'double' }, 21))).toEqual({ out0: [{ payload: 42 }] });
    expect(shown(await runNode('function', { code: 'nothing' }))).toEqual({});
    expect(shown(await runNode('function', { code: 'split', outputs: 3 }, 1, 3))).toEqual({
      out0: [{ payload: 'left' }],
      out2: [{ payload: 1 }, { payload: 'again' }],
    });
  });

  it('logs', async () => {
    expect(await runNode('function', { code: 'warn' })).toMatchObject({
      status: 'ok',
      logs: [
        { level: 'warn', node: 'it', message: 'careful' },
        { level: 'info', node: 'it', message: 'seen' },
        { level: 'debug' },
      ],
    });
  });

  it('with a fault in its code is saved with a warning, and fails', async () => {
    const flow = {
      nodes: [node('a', 'inject'), node('f', 'function', { code: 'syntax(' })],
      wires: [wire('a', 'f')],
    };
    const body = { name: freshName('Flow'), flow };
    const saved = await callOk(server, 'POST', '/workflows', body);
    expect(saved['warnings']).toEqual([
      {
        code: 'workflow.codeSyntax',
        level: 'error',
        error: expect.stringContaining('node "f", line 1, column '),
        params: { node: 'f', line: 1, column: expect.any(Number), message: expect.any(String) },
      },
    ]);
    expect(await run(Number(saved['id']))).toMatchObject({
      error: expect.stringContaining('(line 1, column 7)'),
    });
    const strict = await call(server, 'POST', '/workflows?strict=1', { body });
    expect(outcomeOf(strict)).toEqual({ status: 422, code: 'template.invalid' });
  });

  it('keeps values from run to run', async () => {
    const id = await create(
      [
        node('a', 'inject'),
        node('f', 'function', { code: 'count' }),
        node('d', 'debug', { property: 'msg' }),
      ],
      [wire('a', 'f'), wire('f', 'd')],
    );
    await run(id);
    expect(shown(await run(id))).toEqual({ d: [{ payload: { count: 2, keys: ['count'] } }] });
    const entry = { key: 'count', value: '2', updated_at: expect.any(Number) };
    expect(await callList(server, `/workflows/${id}/store`)).toEqual([entry]);
    expect((await call(server, 'DELETE', `/workflows/${id}/store?key=other`)).status).toBe(204);
    expect(await callList(server, `/workflows/${id}/store`)).toEqual([entry]);
    expect((await call(server, 'DELETE', `/workflows/${id}/store`)).status).toBe(204);
    expect(await callList(server, `/workflows/${id}/store`)).toEqual([]);
  });

  it('cannot store without end', async () => {
    expect(await runNode('function', { code: 'largeValue' })).toMatchObject({
      error: expect.stringContaining('1 MB'),
    });
    const id = await create(
      [node('a', 'inject'), node('f', 'function', { code: 'count' })],
      [wire('a', 'f')],
    );
    fillStore(id, 10_000);
    expect(await run(id)).toMatchObject({ error: expect.stringContaining('10000 keys') });
  });

  it('cannot call without end', async () => {
    expect(await runNode('function', { code: 'callForever' })).toMatchObject({
      error: expect.stringContaining('10000 calls'),
    });
  });

  it('asks external databases', async () => {
    expect(shown(await runNode('function', { code: 'query' }))).toEqual({ out0: [{ payload: [{ id: 1 }] }] });
    expect(databaseCalls).toEqual([
      { connection: 'crm', action: 'list', args: { table: 'people', limit: 2 } },
    ]);
  });
});

describe('custom', () => {
  it('runs its present definition', async () => {
    expect(shown(await runNode('custom', { node: 'doubler' }, 4))).toEqual({ out0: [{ payload: 8 }] });
  });
});

describe('switch', () => {
  it.each([
    ['eq', '5', 5, true],
    ['eq', '5.0', '5', true],
    ['eq', 'a', 'b', false],
    ['neq', 'a', 'b', true],
    ['lt', '10', 9, true],
    ['lt', '10', '9', true],
    ['lt', 'b', 'a', true],
    ['lte', '5', 5, true],
    ['gt', '5', 5, false],
    ['gte', '5', 5, true],
    ['contains', 'b', 'abc', true],
    ['contains', '2', [1, 2], true],
    ['contains', 'a', { a: 1 }, true],
    ['contains', 'toString', { a: 1 }, false],
    ['regex', '^a.c$', 'abc', true],
    ['regex', '^(a+)+$', `${'a'.repeat(40)}b`, false],
    ['true', '', true, true],
    ['true', '', 'yes', false],
    ['false', '', false, true],
    ['empty', '', '', true],
    ['empty', '', [], true],
    ['empty', '', null, true],
    ['empty', '', 0, false],
    ['nempty', '', { a: 1 }, true],
    ['else', '', 'anything', true],
  ])('%s %j of %j: %s', async (op, value, payload, holds) => {
    const result = await runNode('switch', { rules: [{ op, value }] }, payload);
    expect(shown(result)).toEqual(holds ? { out0: [{ payload }] } : {});
  });

  it('sends to the first rule that holds, or to all', async () => {
    const rules = [{ op: 'gt', value: 1 }, { op: 'gt', value: 2 }, { op: 'else' }];
    const config = { property: 'payload.n', rules };
    const payload = { n: 3 };
    expect(Object.keys(shown(await runNode('switch', config, payload, 3)))).toEqual(['out0']);
    expect(Object.keys(shown(await runNode('switch', { ...config, all: true }, payload, 3)))).toEqual([
      'out0',
      'out1',
    ]);
    expect(Object.keys(shown(await runNode('switch', { ...config, all: true }, { n: 0 }, 3)))).toEqual([
      'out2',
    ]);
  });
});

describe('delay', () => {
  it('holds a message back while other branches go on', async () => {
    const id = await create(
      [
        node('a', 'inject'),
        node('b', 'delay', { seconds: 0.5 }),
        node('late', 'debug'),
        node('soon', 'debug'),
      ],
      [wire('a', 'b'), wire('b', 'late'), wire('a', 'soon')],
    );
    const running = run(id, { payload: 1 });
    while (!timers.planned.includes(500)) await new Promise(setImmediate);
    timers.fire(500);
    expect(Object.keys(shown(await running))).toEqual(['soon', 'late']);
  });

  it('from a placeholder fails out of range', async () => {
    const result = await runNode('delay', { seconds: '{{ msg.payload }}' }, 301);
    expect(result).toMatchObject({ status: 'error', error: expect.stringContaining('"301"') });
  });
});

describe('join', () => {
  const flow = (config: Fields) =>
    create(
      [
        node('a', 'inject'),
        node('f', 'function', { code: 'split', outputs: 3 }),
        node('j', 'join', config),
        node('d', 'debug', { property: 'msg' }),
      ],
      [wire('a', 'f'), wire('f', 'j', 0), wire('f', 'j', 2), wire('j', 'd')],
    );

  it('waits for as many messages as wires, or as it says', async () => {
    expect(shown(await run(await flow({}), { payload: 1 }))).toEqual({ d: [{ payload: ['left', 1] }] });
    expect(shown(await run(await flow({ count: 3 }), { payload: 1 }))).toEqual({
      d: [{ payload: ['left', 1, 'again'] }],
    });
    expect(shown(await run(await flow({ count: 4 }), { payload: 1 }))).toEqual({});
  });

  it('makes an object by topic', async () => {
    const payload = { d: [{ payload: { '': 'again' } }] };
    expect(shown(await run(await flow({ count: 3, mode: 'object' }), { payload: 1 }))).toEqual(payload);
  });
});

describe('collection', () => {
  it('reads and changes entries as the API does', async () => {
    const slug = freshName('people');
    const fields = [
      { name: 'name', type: 'text', required: true },
      { name: 'age', type: 'number' },
    ];
    await createCollection(server, { slug, fields });
    const at = (action: string, more: Fields = {}) => ({ action, collection: slug, ...more });
    const created = await runNode('collection', at('create', { published: 'no' }), {
      name: 'Ada',
      age: '36',
      x: 1,
    });
    const [{ payload: entry }] = [asRecord(shown(created)['out0']?.[0])];
    const id = Number(asRecord(entry)['id']);
    expect(entry).toMatchObject({ data: { name: 'Ada', age: 36 }, published: false });
    await createItem(server, slug, { name: 'Grace' });

    const list = async (config: Fields) =>
      asRecord(shown(await runNode('collection', config))['out0']?.[0])['payload'];
    expect(await list(at('list'))).toHaveLength(2);
    expect(await list(at('list', { onlyPublished: true }))).toMatchObject([{ data: { name: 'Grace' } }]);

    const get = (more: Fields = {}) => runNode('collection', at('get', more), { id });
    expect(shown(await get())).toEqual({ out0: [{ payload: entry }] });
    expect(shown(await get({ onlyPublished: true }))).toEqual({ out0: [{ payload: null }] });
    expect(shown(await get({ id: '99999' }))).toEqual({ out0: [{ payload: null }] });

    const changed = await runNode('collection', at('update', { published: 'yes' }), {
      id,
      data: { age: 37 },
    });
    expect(shown(changed)).toMatchObject({
      out0: [{ payload: { data: { name: 'Ada', age: 37 }, published: true } }],
    });
    expect(await runNode('collection', at('delete'), { id })).toMatchObject({ status: 'ok' });
    expect((await call(server, 'GET', `/collections/${slug}/items/${id}`)).status).toBe(404);
    for (const [config, message, error] of [
      [at('update'), { id, data: {} }, 'has no entry'],
      [at('delete'), { id }, 'has no entry'],
      [at('delete'), { id: 'x' }, 'no ID'],
      [at('create'), {}, 'name'],
      [at('create'), 'text', 'must be an object'],
      [{ action: 'list', collection: 'nowhere' }, {}, 'no collection "nowhere"'],
    ] as const)
      expect(await runNode('collection', config, message)).toMatchObject({
        error: expect.stringContaining(error),
      });
  });
});

describe('http-request', () => {
  const payload = { q: 'a b&c', name: 'say "hi"\r\nX-Evil: 1' };
  it('replaces placeholders and sets payload, statusCode and headers', async () => {
    const config = {
      method: 'POST',
      url: `${otherUrl}/find?q={{ msg.payload.q }}&none={{ msg.nothing }}`,
      headers: [
        { name: 'X-Name', value: '{{msg.payload.name}}' },
        { name: 'Authorization', value: 'Bearer {{ secret.KEY }}' },
      ],
      body: 'custom',
      bodyTemplate: '{"text": "{{ msg.payload.name }}", "all": {{ msg.payload }}, "none": {{ msg.x }}}',
    };
    const result = await runNode('http-request', config, payload);
    expect(shown(result)).toMatchObject({
      out0: [{ payload: { ok: true }, statusCode: 200, headers: { 'x-from': 'other' } }],
    });
    const [request] = asked;
    expect(request).toMatchObject({
      method: 'POST',
      url: '/find?q=a%20b%26c&none=',
      headers: {
        'x-name': 'say "hi"X-Evil: 1',
        authorization: 'Bearer top secret',
        'content-type': 'application/json',
        'x-ic-webhook-hop': '1',
      },
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({ text: payload.name, all: payload, none: null });
  });

  it.each([
    [{ method: 'POST' }, '{"q":1}', 'application/json'],
    [{ method: 'POST', body: 'none' }, '', undefined],
    [{ method: 'GET' }, '', undefined],
    [
      { method: 'PUT', body: 'custom', bodyTemplate: 'q={{ msg.payload.q }}' },
      'q=1',
      'text/plain; charset=utf-8',
    ],
  ])('sends the body of %j', async (config, body, type) => {
    await runNode('http-request', { url: `${otherUrl}/`, ...config }, { q: 1 });
    expect([asked[0]?.body, asked[0]?.headers['content-type']]).toEqual([body, type]);
  });

  it.each([
    ['/json', 'auto', { ok: true }],
    ['/json', 'text', '{"ok":true}'],
    ['/text', 'auto', '[1]'],
    ['/text', 'json', [1]],
    ['/text/plain', 'json', 'plain'],
    ['/empty', 'json', ''],
    ['/empty', 'auto', null],
  ])('reads %s as %s', async (path, ret, expected) => {
    const result = await runNode('http-request', { url: otherUrl + path, ret });
    expect(asRecord(shown(result)['out0']?.[0])['payload']).toEqual(expected);
  });

  it('fails for an unreachable host, and for a status of 400 or above only if it shall', async () => {
    const url = `${otherUrl}/broken`;
    expect(await runNode('http-request', { url })).toMatchObject({ status: 'ok' });
    expect(await runNode('http-request', { url, failOnError: true })).toMatchObject({
      error: expect.stringContaining('status 503'),
    });
    for (const wrong of [
      'http://127.0.0.1:1/',
      'file:///etc/passwd',
      '{{ msg.payload }}',
      'http://169.254.169.254/',
    ])
      expect(await runNode('http-request', { url: wrong }, 'http://x')).toMatchObject({ status: 'error' });
    expect(await runNode('http-request', { url: `${otherUrl}/{{ secret.NONE }}` })).toMatchObject({
      error: expect.stringContaining('no secret "NONE"'),
    });
  });

  it('fails for an answer that is no JSON only if it shall', async () => {
    for (const path of ['/text/plain', '/empty'])
      expect(
        await runNode('http-request', { url: otherUrl + path, ret: 'json', failOnError: true }),
      ).toMatchObject({ status: 'error', error: expect.stringContaining('is not JSON') });
  });

  it('takes a whole address from a message, by the rules for outgoing requests', async () => {
    const config = { url: ' {{ msg.payload.url }} ' };
    const result = await runNode('http-request', config, { url: `${otherUrl}/a/b?c=d&e=f` });
    expect([result['status'], asked.map(({ url }) => url)]).toEqual(['ok', ['/a/b?c=d&e=f']]);
    for (const url of [
      'http://169.254.169.254/',
      'file:///etc/passwd',
      'http://user:pass@127.0.0.1/',
      '/x',
      '',
    ])
      expect(await runNode('http-request', config, { url })).toMatchObject({ status: 'error' });
    expect(asked).toHaveLength(1);
  });

  it('keeps a value in its segment of the path', async () => {
    const config = { url: `${otherUrl}/v1/items/{{ msg.payload.id }}/x` };
    for (const id of ['..', '.', '%2e%2e', '..\\', '../admin', '.\t.'])
      expect(await runNode('http-request', config, { id })).toMatchObject({
        status: 'error',
        error: expect.stringContaining('leave its path'),
      });
    expect(asked).toEqual([]);
    await runNode('http-request', config, { id: 'a/b?c' });
    expect(asked.map(({ url }) => url)).toEqual(['/v1/items/a%2Fb%3Fc/x']);
  });

  it('leaves secrets out of log and trace', async () => {
    const config = { url: `${otherUrl}/x`, body: 'custom', method: 'POST', bodyTemplate: '{{ secret.KEY }}' };
    const result = await runNode('http-request', config, 'top secret');
    expect(asked[0]?.body).toBe('top secret');
    expect(JSON.stringify(result)).not.toContain('top secret');
  });
});

describe('mail', () => {
  it('fills its fields; line breaks make no further header', async () => {
    const config = {
      to: '{{ msg.payload.to }}',
      subject: 'From {{ msg.payload.name }}',
      body: 'Hello\n{{ msg.payload.name }}',
      replyTo: '{{ msg.payload.to }}',
    };
    await runNode('mail', config, { to: 'a@b.c\r\nBcc: d@e.f', name: 'A\nB' });
    expect(mails).toEqual([
      { to: 'a@b.cBcc: d@e.f', subject: 'From AB', text: 'Hello\nA\nB', replyTo: 'a@b.cBcc: d@e.f' },
    ]);
  });

  it('without a body sends the payload; in HTML values are escaped', async () => {
    await runNode('mail', { to: 'a@b.c' }, { a: 1 });
    await runNode('mail', { to: 'a@b.c', html: true, body: '<p>{{ msg.payload }}</p>' }, '<b>');
    expect(mails).toEqual([
      { to: 'a@b.c', subject: '', text: '{\n  "a": 1\n}' },
      { to: 'a@b.c', subject: '', html: '<p>&lt;b&gt;</p>' },
    ]);
  });

  it('has a recipient', async () => {
    expect(await runNode('mail', { to: '{{ msg.payload }}' }, '')).toMatchObject({
      error: expect.stringContaining('recipient'),
    });
    expect(mails).toEqual([]);
  });
});

describe('extdb', () => {
  it('passes its settings with placeholders filled', async () => {
    const config = {
      connection: '{{ msg.payload.db }}',
      action: 'list',
      table: 'people',
      rules: [{ col: 'name', op: 'eq', val: '{{ msg.payload.name }}' }],
      where: '{"and": [{"col": "name", "op": "eq", "val": {{ msg.payload.name }}}]}',
      limit: '{{ msg.payload.limit }}',
    };
    const name = 'O"Neill';
    const result = await runNode('extdb', config, { db: 'crm', name, limit: 5 });
    expect(shown(result)).toEqual({ out0: [{ payload: [{ id: 1 }] }] });
    expect(databaseCalls).toEqual([
      {
        connection: 'crm',
        action: 'list',
        args: {
          table: 'people',
          rules: [{ col: 'name', op: 'eq', val: name }],
          where: { and: [{ col: 'name', op: 'eq', val: name }] },
          limit: 5,
        },
      },
    ]);
    expect(await runNode('extdb', config, { db: 'crm', limit: 1001 })).toMatchObject({
      error: expect.stringContaining('1001'),
    });
  });

  it('writes the payload', async () => {
    await runNode('extdb', { connection: 'crm', action: 'update', table: 't' }, { id: 7, name: 'x' });
    expect(databaseCalls).toEqual([
      { connection: 'crm', action: 'update', args: { table: 't', pk: '7', data: { id: 7, name: 'x' } } },
    ]);
  });
});

describe('object keys from outside', () => {
  it('are ordinary data', async () => {
    const raw = '{"payload":{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}}';
    const id = await create(
      [node('a', 'inject'), node('d', 'debug', { property: 'payload.__proto__.x' })],
      [wire('a', 'd')],
    );
    await call(server, 'POST', `/workflows/${id}/run`, {
      raw,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });
});
