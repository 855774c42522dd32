import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, freshName, idOf } from '../support/content.ts';
import { invalid, notFound, runScenarios, type Scenario } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Data, Automation and Operations, "Workflow" and "Workflows": definitions and their rules. */

let server: TestServer;
let readToken: string;

beforeAll(async () => {
  server = await startServer();
  readToken = await addToken(server, 'reader', false);
});
afterAll(() => server.stop());

type Fields = Readonly<Record<string, unknown>>;

const node = (id: string, type: string, config: Fields = {}) => ({ id, type, config });
const wire = (from: string, to: string, out = 0) => ({ from, out, to });
const input = (path: string, method = 'GET') => node(freshName('in'), 'http-in', { path, method });

async function create(fields: Fields = {}): Promise<Record<string, unknown>> {
  return callOk(server, 'POST', '/workflows', { name: freshName('Workflow'), ...fields });
}

describe('the resource', () => {
  it('has all fields; what is left out has its default', async () => {
    const created = await callOk(server, 'POST', '/workflows', {
      name: 'Greeting',
      flow: { nodes: [{ id: 'a', type: 'inject' }, node('b', 'debug')], wires: [{ from: 'a', to: 'b' }] },
    });
    const { warnings, ...workflow } = created;
    expect(warnings).toEqual([]);
    expect(workflow).toEqual({
      id: expect.any(Number),
      name: 'Greeting',
      description: '',
      enabled: true,
      flow: {
        nodes: [
          { id: 'a', type: 'inject', name: '', x: 0, y: 0, config: {} },
          { id: 'b', type: 'debug', name: '', x: 0, y: 0, config: {} },
        ],
        wires: [{ from: 'a', out: 0, to: 'b' }],
      },
      created_at: expect.any(Number),
      updated_at: workflow['created_at'],
      last_run_at: 0,
      last_status: '',
      next_run: 0,
    });
    expect(await callOk(server, 'GET', `/workflows/${workflow['id']}`)).toEqual(workflow);
    expect(await callList(server, '/workflows')).toContainEqual(workflow);
  });

  it('is listed by name', async () => {
    await create({ name: 'zebra' });
    await create({ name: 'Apple' });
    const names = (await callList(server, '/workflows')).map(({ name }) => String(name).toLowerCase());
    expect(names).toEqual([...names].sort());
  });

  it('PUT changes the sent fields; a flow replaces the whole flow', async () => {
    const { id, updated_at: base } = await create({ flow: { nodes: [node('a', 'inject')] } });
    const renamed = await callOk(server, 'PUT', `/workflows/${id}`, { name: 'x', base_updated_at: base });
    expect(renamed).toMatchObject({ name: 'x', flow: { nodes: [{ id: 'a' }] } });
    expect(Number(renamed['updated_at'])).toBeGreaterThan(Number(base));
    const stale = await call(server, 'PUT', `/workflows/${id}`, {
      body: { name: 'y', base_updated_at: base },
    });
    expect(outcomeOf(stale)).toEqual({ status: 409, code: 'common.conflict' });
    const replaced = await callOk(server, 'PUT', `/workflows/${id}`, { flow: { nodes: [] } });
    expect(replaced).toMatchObject({ name: 'x', flow: { nodes: [], wires: [] } });
  });

  it('DELETE removes it', async () => {
    const { id } = await create();
    expect((await call(server, 'DELETE', `/workflows/${id}`)).status).toBe(204);
    expect(outcomeOf(await call(server, 'GET', `/workflows/${id}`))).toEqual(notFound);
    expect(outcomeOf(await call(server, 'POST', `/workflows/${id}/run`))).toEqual(notFound);
    expect(outcomeOf(await call(server, 'GET', `/workflows/${id}/runs`))).toEqual(notFound);
  });

  it('is told in the change feed', async () => {
    const { id, name } = await create();
    const { changes } = await callOk(server, 'GET', '/changes?since=0&limit=1000');
    expect(changes).toContainEqual(
      expect.objectContaining({ kind: 'workflow', action: 'created', id, name }),
    );
  });
});

describe('versions', () => {
  it('keep the flow; a restore keeps name and enabled', async () => {
    const { id } = await create({ name: 'first', flow: { nodes: [node('old', 'inject')] } });
    const changes = {
      name: 'second',
      enabled: false,
      description: 'new',
      flow: { nodes: [node('new', 'inject')] },
    };
    await callOk(server, 'PUT', `/workflows/${id}`, changes);
    const [version] = await callList(server, `/revisions?kind=workflow&id=${id}`);
    const { data } = await callOk(server, 'GET', `/revisions/${version?.['id']}`);
    expect(data).toMatchObject({ id, name: 'first', last_run_at: 0, flow: { nodes: [{ id: 'old' }] } });
    const restored = await callOk(server, 'POST', `/revisions/${version?.['id']}/restore`);
    expect(restored).toMatchObject({
      name: 'second',
      enabled: false,
      description: '',
      flow: { nodes: [{ id: 'old' }] },
    });
  });

  it('are not for read-only tokens', async () => {
    const { id } = await create();
    const answer = await call(server, 'GET', `/revisions?kind=workflow&id=${id}`, { token: readToken });
    expect(outcomeOf(answer)).toEqual({ status: 403, code: 'auth.readOnly' });
  });

  it('cannot be restored onto a path that is taken meanwhile', async () => {
    const path = freshName('path');
    const { id } = await create({ flow: { nodes: [input(path)] } });
    await callOk(server, 'PUT', `/workflows/${id}`, { flow: { nodes: [] } });
    await create({ flow: { nodes: [input(path)] } });
    const [version] = await callList(server, `/revisions?kind=workflow&id=${id}`);
    const answer = await call(server, 'POST', `/revisions/${version?.['id']}/restore`);
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'workflow.pathTaken' });
  });
});

describe('a flow that is not valid', () => {
  const cases: [string, Fields, Pick<Scenario, 'status'> & Partial<Scenario>][] = [
    ['without a list of nodes', { nodes: 5 }, invalid('flow.nodes')],
    ['with an unknown type', { nodes: [node('a', 'magic')] }, unknownType('magic')],
    ['with a catch node', { nodes: [node('a', 'catch')] }, unknownType('catch')],
    [
      'with two nodes of one ID',
      { nodes: [node('a', 'inject'), node('a', 'debug')] },
      invalid('flow.nodes.1.id'),
    ],
    [
      'with a wire from nowhere',
      { nodes: [node('a', 'debug')], wires: [wire('x', 'a')] },
      invalid('flow.wires.0.from'),
    ],
    [
      'with a wire to nowhere',
      { nodes: [node('a', 'inject')], wires: [wire('a', 'x')] },
      invalid('flow.wires.0.to'),
    ],
    [
      'with a wire from a missing output',
      { nodes: [node('a', 'inject'), node('b', 'debug')], wires: [wire('a', 'b', 1)] },
      invalid('flow.wires.0.out'),
    ],
    [
      'with a wire into a start node',
      { nodes: [node('a', 'inject'), node('b', 'inject')], wires: [wire('a', 'b')] },
      invalid('flow.wires.0.to'),
    ],
    ...['@every 5s', '@daily', '* * * * * *', '61 * * * *', '0 0 31 2 *', 'CRON_TZ=Nowhere/X * * * * *'].map(
      (cron): (typeof cases)[number] => [
        `with the schedule ${cron}`,
        { nodes: [node('a', 'inject', { cron })] },
        invalid('flow.nodes.0.config.cron'),
      ],
    ),
    ...['', '/', 'a//b', 'a/{b', 'a/{b}c', '{x...}/b', '{x}/{x}', 'a b', 'a?b', '..', '%2e'].map(
      (path): (typeof cases)[number] => [
        `with the path ${JSON.stringify(path)}`,
        { nodes: [node('a', 'http-in', { path })] },
        invalid('flow.nodes.0.config.path'),
      ],
    ),
    [
      'with an unknown method',
      { nodes: [node('a', 'http-in', { path: 'x', method: 'TRACE' })] },
      invalid('flow.nodes.0.config.method'),
    ],
    [
      'with the same input twice',
      {
        nodes: [
          node('a', 'http-in', { path: 'x/{a}' }),
          node('b', 'http-in', { path: 'x/{b}', method: 'ANY' }),
        ],
      },
      invalid('flow.nodes.1.config.path'),
    ],
    [
      'with an unknown custom node',
      { nodes: [node('a', 'custom', { node: 'nobody' })] },
      invalid('flow.nodes.0.config.node'),
    ],
    [
      'with a delay that is too long',
      { nodes: [node('a', 'delay', { seconds: 300.5 })] },
      invalid('flow.nodes.0.config.seconds'),
    ],
    [
      'with a delay that is no number',
      { nodes: [node('a', 'delay', { seconds: 'soon' })] },
      invalid('flow.nodes.0.config.seconds'),
    ],
    [
      'with too many outputs',
      { nodes: [node('a', 'function', { outputs: 11 })] },
      invalid('flow.nodes.0.config.outputs'),
    ],
    [
      'with a limit above 1,000',
      { nodes: [node('a', 'extdb', { connection: 'x', limit: 1001 })] },
      invalid('flow.nodes.0.config.limit'),
    ],
    [
      'with an operator that does not exist',
      { nodes: [node('a', 'switch', { rules: [{ op: 'like', value: 'x' }] })] },
      invalid('flow.nodes.0.config.rules.0.op'),
    ],
    [
      'with a broken regular expression',
      { nodes: [node('a', 'switch', { rules: [{ op: 'regex', value: '(' }] })] },
      invalid('flow.nodes.0.config.rules.0.value'),
    ],
    [
      'with a status that does not exist',
      { nodes: [node('a', 'http-response', { status: 99 })] },
      invalid('flow.nodes.0.config.status'),
    ],
    [
      'with a header that frames the answer',
      { nodes: [node('a', 'http-response', { headers: [{ name: 'Content-Length', value: '1' }] })] },
      invalid('flow.nodes.0.config.headers.0.name'),
    ],
    [
      'with a header with a line break',
      { nodes: [node('a', 'http-response', { headers: [{ name: 'X-A', value: 'a\r\nb' }] })] },
      invalid('flow.nodes.0.config.headers.0.value'),
    ],
  ];
  runScenarios(
    () => server,
    cases.map(([name, flow, outcome]) => ({
      name,
      method: 'POST',
      path: '/workflows',
      body: { name: 'x', flow },
      ...outcome,
    })),
  );

  it('is refused with all faults at once', async () => {
    const flow = { nodes: [node('a', 'delay', { seconds: -1 })], wires: [wire('x', 'y')] };
    const { body } = await call(server, 'POST', '/workflows', { body: { name: ' ', flow } });
    expect(asRecord(asRecord(body)['params'])['errors']).toEqual([
      { field: 'name', reason: expect.any(String) },
      { field: 'flow.nodes.0.config.seconds', reason: expect.any(String) },
      { field: 'flow.wires.0.from', reason: expect.any(String) },
      { field: 'flow.wires.0.to', reason: expect.any(String) },
    ]);
  });

  it('is no flow whose numbers come from placeholders, or whose wires form a circle', async () => {
    const nodes = [
      node('a', 'function', { code: 'x' }),
      node('b', 'delay', { seconds: '{{ msg.payload.n }}' }),
      node('c', 'extdb', { connection: 'x', limit: '{{ msg.n }}' }),
    ];
    const wires = [wire('a', 'b'), wire('b', 'a'), wire('a', 'a')];
    expect(await create({ flow: { nodes, wires } })).toMatchObject({ flow: { wires } });
  });
});

describe('HTTP inputs of one address', () => {
  const taken = { status: 409, code: 'workflow.pathTaken' };
  const saved = { status: 201, code: undefined };
  it.each([
    ['GET', 'orders/{id}', 'GET', 'orders/{number}', taken],
    ['ANY', 'orders/{id}', 'POST', 'orders/{id}', taken],
    ['POST', 'orders/{id}', 'ANY', '/orders/{id}', taken],
    ['GET', 'orders/{id}', 'POST', 'orders/{id}', saved],
    ['GET', 'orders/{id}', 'GET', 'orders/new', saved],
    ['GET', 'orders/{rest...}', 'GET', 'orders/{id}', saved],
    ['GET', 'orders/{rest...}', 'GET', 'orders/{all...}', taken],
  ])('%s %s and %s %s: %o', async (firstMethod, first, secondMethod, second, outcome) => {
    const below = freshName('below');
    const at = (path: string) => `${below}/${path.replace(/^\//, '')}`;
    await create({ flow: { nodes: [input(at(first), firstMethod)] } });
    const body = { name: 'x', flow: { nodes: [input(at(second), secondMethod)] } };
    expect(outcomeOf(await call(server, 'POST', '/workflows', { body }))).toEqual(outcome);
  });

  it('count only in active workflows', async () => {
    const flow = { nodes: [input(freshName('path'))] };
    const first = await create({ flow });
    const second = await create({ flow, enabled: false });
    const enable = () => call(server, 'PUT', `/workflows/${second['id']}`, { body: { enabled: true } });
    expect(outcomeOf(await enable())).toEqual(taken);
    await callOk(server, 'PUT', `/workflows/${first['id']}`, { enabled: false });
    expect((await enable()).status).toBe(200);
    expect(
      outcomeOf(await call(server, 'PUT', `/workflows/${first['id']}`, { body: { enabled: true } })),
    ).toEqual(taken);
    await call(server, 'DELETE', `/workflows/${second['id']}`);
    expect((await call(server, 'PUT', `/workflows/${first['id']}`, { body: { enabled: true } })).status).toBe(
      200,
    );
  });
});

describe('strict=1', () => {
  it('refuses unknown fields', async () => {
    const answer = await call(server, 'POST', '/workflows?strict=1', { body: { name: 'x', flows: {} } });
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.unknownField' });
  });
});

describe('usage', () => {
  it('of a collection names the workflows with it', async () => {
    const slug = freshName('orders');
    const collection = await createCollection(server, { slug });
    const flow = { nodes: [node('a', 'event', { collection: slug, created: true })] };
    const { id, name } = await create({ flow });
    const answer = await call(server, 'DELETE', `/collections/${collection}?if_unused=1`);
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'common.inUse' });
    expect(asRecord(answer.body)['params']).toEqual({ usage: [{ kind: 'workflow', id, title: name }] });
  });
});

describe('schedules', () => {
  it('tell the next run of an active workflow', async () => {
    const nodes = [
      node('a', 'inject', { cron: '0 0 1 1 *' }),
      node('b', 'inject', { cron: 'CRON_TZ=UTC */5 * * * *' }),
    ];
    const workflow = await create({ flow: { nodes } });
    const now = Math.floor(Date.now() / 1000);
    const next = Number(workflow['next_run']);
    expect([next % 300, next - now > 0, next - now <= 300]).toEqual([0, true, true]);
    const disabled = await callOk(server, 'PUT', `/workflows/${idOf(workflow)}`, { enabled: false });
    expect(disabled).toMatchObject({ next_run: 0 });
  });
});

function unknownType(type: string): Pick<Scenario, 'status' | 'code' | 'params'> {
  return { status: 400, code: 'workflow.unknownNodeType', params: { type, node: 'a' } };
}
