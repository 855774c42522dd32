import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk } from '../support/api.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { check, notFound } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
/** Ends code early. */
let strict: InProcessServer;
let readToken: string;

beforeAll(async () => {
  server = await startServer();
  strict = await startInProcess({ sandbox: { limits: { cpuMs: 300 } } });
  readToken = await addToken(server, 'reader', false);
});
afterAll(() => Promise.all([server.stop(), strict.stop()]));

const create = (body: object) => callOk(server, 'POST', '/flow-nodes', body);
const invalid = (field: string) => ({ status: 400, code: 'common.invalid', params: { field } });

describe('a custom node', () => {
  it('is created, read, changed and deleted', async () => {
    const body = {
      key: 'add_tax',
      name: 'Add tax',
      description: 'd',
      color: '#123456',
      inputs: 1,
      outputs: ['gross', 'net'],
      params: [
        { name: 'rate', label: 'Rate', type: 'number', default: 19, help: 'in %' },
        { name: 'mode', type: 'select', options: ['a', 'b'], default: 'b' },
      ],
      code: 'msg.payload *= 1 + params.rate / 100;\nreturn msg;',
    };
    const created = await create(body);
    const { id, created_at, updated_at, ...fields } = created;
    expect(fields).toEqual(body);
    expect([id, created_at, updated_at]).toEqual([1, 2, 3].map(() => expect.any(Number)));
    const path = `/flow-nodes/${id}`;
    expect(await callOk(server, 'GET', path)).toEqual(created);
    const changed = await callOk(server, 'PUT', path, { name: 'Tax', key: 'other', outputs: ['x'] });
    expect(changed).toEqual({ ...created, name: 'Tax', outputs: ['x'], updated_at: expect.any(Number) });
    expect(Number(changed['updated_at'])).toBeGreaterThan(Number(updated_at));
    expect(await callOk(server, 'PUT', path, { name: 'Tax' })).toEqual(changed);
    expect((await call(server, 'DELETE', path)).status).toBe(204);
    await check(server, { name: '', method: 'GET', path, ...notFound });
  });

  it('keeps no field that parameters do not have', async () => {
    const param = { name: 'rate', type: 'number', default: 19 };
    const { id } = await create({ name: 'Rated', params: [{ ...param, unit: '%' }] });
    expect(await callOk(server, 'GET', `/flow-nodes/${id}`)).toMatchObject({ params: [param] });
    await callOk(server, 'PUT', `/flow-nodes/${id}`, { params: [{ ...param, default: 7, step: 1 }] });
    expect(await callOk(server, 'GET', `/flow-nodes/${id}`)).toMatchObject({
      params: [{ ...param, default: 7 }],
    });
  });

  it('needs only a name', async () => {
    const { id, created_at, updated_at, ...fields } = await create({ name: 'Plain' });
    expect(fields).toEqual({
      key: 'plain',
      name: 'Plain',
      description: '',
      color: '',
      inputs: 1,
      outputs: [''],
      params: [],
      code: '',
    });
  });

  it('gets a key from its name, with a number if it is taken', async () => {
    const keys: unknown[] = [];
    for (const name of ['Größe & Maß', 'grosse mass', 'Größe Maß', '2 Werte', '漢字', '漢字'])
      keys.push((await create({ name }))['key']);
    expect(keys).toEqual(['grosse_mass', 'grosse_mass_2', 'grosse_mass_3', 'node_2_werte', 'node', 'node_2']);
  });

  it('keeps to a given key, which nobody else may have', async () => {
    await create({ name: 'One', key: 'mine' });
    await check(server, {
      name: '',
      method: 'POST',
      path: '/flow-nodes',
      body: { name: 'Two', key: 'mine' },
      status: 409,
      code: 'flownode.keyTaken',
      params: { key: 'mine' },
    });
  });

  it('is listed by name', async () => {
    await create({ name: 'aaa' });
    await create({ name: 'AAB' });
    const names = (await callList(server, '/flow-nodes')).map(({ name }) => String(name));
    expect(names.filter((name) => /^aa/i.test(name))).toEqual(['aaa', 'AAB']);
  });

  it('stays as it is if it was changed meanwhile', async () => {
    const { id, updated_at } = await create({ name: 'Conflict' });
    await callOk(server, 'PUT', `/flow-nodes/${id}`, { name: 'Other' });
    const body = { name: 'x', base_updated_at: updated_at };
    const answer = await call(server, 'PUT', `/flow-nodes/${id}`, { body });
    expect(answer).toMatchObject({ status: 409, body: { code: 'common.conflict', conflict: true } });
  });

  it('has versions, which read-only tokens do not see', async () => {
    const { id } = await create({ name: 'Versions', code: 'return msg', description: 'one' });
    await callOk(server, 'PUT', `/flow-nodes/${id}`, { code: 'return null', description: 'two' });
    const path = `/revisions?kind=flownode&id=${id}`;
    const [version] = await callList(server, path);
    expect(version).toMatchObject({ kind: 'flownode', object_id: id });
    await callOk(server, 'POST', `/revisions/${version?.['id']}/restore`);
    expect(await callOk(server, 'GET', `/flow-nodes/${id}`)).toMatchObject({
      code: 'return msg',
      description: 'one',
    });
    expect((await call(server, 'GET', path, { token: readToken })).status).toBe(403);
  });

  it('stays as long as a workflow uses it', async () => {
    const { id, key } = await create({ name: 'Busy' });
    const nodes = [
      { id: 'start', type: 'inject' },
      { id: 'own', type: 'custom', config: { node: key, outputs: 1 } },
    ];
    const flow = { nodes, wires: [{ from: 'start', out: 0, to: 'own' }] };
    const workflow = await callOk(server, 'POST', '/workflows', { name: 'Uses it', flow });
    expect((await call(server, 'GET', `/flow-nodes/${id}/usage`)).body).toEqual(['Uses it']);
    const path = `/flow-nodes/${id}`;
    const inUse = { status: 409, code: 'flownode.inUse', params: { key, workflows: ['Uses it'] } };
    await check(server, { name: '', method: 'DELETE', path, ...inUse });
    await call(server, 'DELETE', `/workflows/${workflow['id']}`);
    expect((await call(server, 'DELETE', path)).status).toBe(204);
  });

  it('is used by no workflow', async () => {
    const { id } = await create({ name: 'Usage' });
    expect(await callList(server, `/flow-nodes/${id}/usage`)).toEqual([]);
    await check(server, { name: '', method: 'GET', path: '/flow-nodes/9999/usage', ...notFound });
    expect((await call(server, 'DELETE', `/flow-nodes/${id}?if_unused=1`)).status).toBe(204);
  });
});

describe('a definition is refused', () => {
  const param = { name: 'p', type: 'text' };
  it.each([
    ['without a name', {}, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a key in another form', { name: 'x', key: 'A key' }, 'key'],
    ['two inputs', { name: 'x', inputs: 2 }, 'inputs'],
    ['eleven outputs', { name: 'x', outputs: Array(11).fill('') }, 'outputs'],
    ['a start node without outputs', { name: 'x', inputs: 0, outputs: [] }, 'outputs'],
    [
      'a parameter whose name is no identifier',
      { name: 'x', params: [{ ...param, name: 'a-b' }] },
      'params.0.name',
    ],
    ...['class', 'new', 'await', 'null', 'typeof'].map((name): [string, object, string] => [
      `a parameter named ${name}`,
      { name: 'x', params: [{ ...param, name }] },
      'params.0.name',
    ]),
    [
      'a parameter that leads to a prototype',
      { name: 'x', params: [{ ...param, name: '__proto__' }] },
      'params.0.name',
    ],
    ['a parameter of an unknown type', { name: 'x', params: [{ ...param, type: 'date' }] }, 'params.0.type'],
    ['a select without options', { name: 'x', params: [{ ...param, type: 'select' }] }, 'params.0.options'],
    [
      'a default that is no option',
      { name: 'x', params: [{ ...param, type: 'select', options: ['a'], default: 'b' }] },
      'params.0.default',
    ],
    [
      'a default that is no number',
      { name: 'x', params: [{ ...param, type: 'number', default: 'b' }] },
      'params.0.default',
    ],
    ['a name twice', { name: 'x', params: [param, param] }, 'params'],
  ])('%s', async (_what, body, field) => {
    await check(server, { name: '', method: 'POST', path: '/flow-nodes', body, ...invalid(field) });
  });

  it('when a change makes it a start node without outputs', async () => {
    const { id } = await create({ name: 'Change', outputs: [] });
    await check(server, {
      name: '',
      method: 'PUT',
      path: `/flow-nodes/${id}`,
      body: { inputs: 0 },
      ...invalid('outputs'),
    });
  });

  it.each([
    ['a syntax error', 'let a = 1;\n  let a;', 2, 7],
    ['code that closes its wrapper', '}); (async () => {', 1, 2],
    ['code without an end', 'if (msg) {', 1, 11],
  ])('%s', async (_what, code, line, column) => {
    const params = { message: expect.stringContaining('SyntaxError'), line, column };
    const refused = { name: '', method: 'POST', path: '/flow-nodes', body: { name: 'x', code } };
    await check(server, { ...refused, status: 400, code: 'flownode.codeInvalid', params });
    const { id } = await create({ name: 'Sound' });
    const change = { ...refused, method: 'PUT', path: `/flow-nodes/${id}` };
    await check(server, { ...change, status: 400, code: 'flownode.codeInvalid', params });
    const { warnings } = await check(server, {
      ...refused,
      path: '/flow-nodes?strict=1',
      status: 422,
      code: 'template.invalid',
      params: { count: 1 },
    });
    expect(warnings).toMatchObject([{ code: 'template.syntax', level: 'error', params: { line, column } }]);
  });
});

describe('a trial', () => {
  const trial = (body: object) => callOk(strict, 'POST', '/flow-nodes/test', body);
  const code = 'msg.payload *= 1 + params.rate / 100; node.warn("rate " + params.rate); return [msg, null]';
  const params = [{ name: 'rate', type: 'number', default: '10' }];
  const node = { name: 'Tax', outputs: ['a', 'b'], params, code };

  it('gives what was sent, logged and how long it took', async () => {
    expect(await trial({ node, params: { rate: 50 }, msg: { payload: 4 } })).toEqual({
      status: 'ok',
      error: '',
      line: 0,
      column: 0,
      outputs: ['{"payload":6}', ''],
      logs: [{ level: 'warn', node: '', label: 'Tax', message: 'rate 50', time: expect.any(Number) }],
      duration_ms: expect.any(Number),
    });
  });

  it('has defaults for what is left out', async () => {
    expect(await trial({ node, msg: { payload: 10 } })).toMatchObject({ outputs: ['{"payload":11}', ''] });
    expect(await trial({ node: { code: 'return msg' } })).toMatchObject({ outputs: ['{"payload":""}'] });
    const all = ['text', 'textarea', 'number', 'checkbox'].map((type) => ({ name: type, type }));
    expect(await trial({ node: { params: all, code: 'return params' } })).toMatchObject({
      outputs: ['{"text":"","textarea":"","number":null,"checkbox":false}'],
    });
  });

  it('gives several messages as a list', async () => {
    expect(await trial({ node: { code: 'return [[{a: 1}, {a: 2}]]' } })).toMatchObject({
      outputs: ['[{"a":1},{"a":2}]'],
    });
  });

  it('has a store of its own', async () => {
    const counting = {
      node: {
        code: 'await store.set("n", (await store.get("n") ?? 0) + 1); return {n: await store.get("n"), keys: await store.keys()}',
      },
    };
    for (let n = 0; n < 2; n += 1)
      expect(await trial(counting)).toMatchObject({ outputs: ['{"n":1,"keys":["n"]}'] });
  });

  it.each([
    ['an error', 'const a = 1;\nthrow new Error("no")', 'no', 2, 7],
    ['a syntax error', 'let a = ;', "SyntaxError: Unexpected token ';'", 1, 9],
    ['a database that is not there', 'await idb.tables("x")', 'there is no database connection "x"', 1, 11],
    [
      'code without an end',
      'while (true);',
      'the code did not come to its end within 0.3 s of processor time',
      0,
      0,
    ],
    [
      'too much memory',
      '"x".repeat(1 << 28).split("")',
      'the code needed more than 64 MB of memory and was ended',
      0,
      0,
    ],
  ])('tells of %s', async (_what, code, error, line, column) => {
    expect(await trial({ node: { code } })).toMatchObject({
      status: 'error',
      error,
      line,
      column,
      outputs: [''],
    });
  });

  it('answers others meanwhile', async () => {
    const endless = Promise.all([1, 2, 3].map(() => trial({ node: { code: 'while (true);' } })));
    for (let n = 0; n < 5; n += 1) expect((await fetch(`${strict.url}/healthz`)).status).toBe(200);
    expect(await trial({ node: { code: 'return {ok: 1}' } })).toMatchObject({ outputs: ['{"ok":1}'] });
    for (const result of await endless) expect(result).toMatchObject({ status: 'error' });
  });

  it('refuses a definition that could not be stored, and parameters that do not fit', async () => {
    const refused = { name: '', method: 'POST', path: '/flow-nodes/test' };
    await check(server, {
      ...refused,
      body: { node: { inputs: 0, outputs: [] } },
      ...invalid('node.outputs'),
    });
    await check(server, { ...refused, body: { node, params: { rate: 'x' } }, ...invalid('params') });
    await check(server, { ...refused, body: {}, ...invalid('node') });
    expect(
      asRecord((await call(server, 'POST', '/flow-nodes/test', { body: { node }, token: readToken })).body),
    ).toMatchObject({ code: 'auth.readOnly' });
  });
});
