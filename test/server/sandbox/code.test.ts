import { describe, expect, it } from 'vitest';
import { openSandbox } from './support.ts';

const { run, value, sandbox } = openSandbox();

const payload = (result: unknown): unknown =>
  typeof result === 'object' && result !== null ? Reflect.get(result, 'payload') : undefined;

describe('what code returns', () => {
  it.each([
    ['a message', 'msg.payload += 1; return msg', 2, [['{"payload":2}'], []]],
    ['nothing', 'msg.payload = 2', 2, [[], []]],
    ['null', 'return null', 2, [[], []]],
    ['a list with an element for each output', 'return [null, msg]', 2, [[], ['{"payload":1}']]],
    ['a shorter list', 'return [msg]', 2, [['{"payload":1}'], []]],
    [
      'a list of messages for an output',
      'return [[{a: 1}, null, {a: 2}], msg]',
      2,
      [['{"a":1}', '{"a":2}'], ['{"payload":1}']],
    ],
    ['a promise', 'return Promise.resolve(msg)', 1, [['{"payload":1}']]],
    [
      'a message after messages that were sent',
      'node.send({a: 1}); node.send([null, {b: 1}]); return {c: 1}',
      2,
      [['{"a":1}', '{"c":1}'], ['{"b":1}']],
    ],
    ['something after it waited', 'const x = await Promise.resolve(2); return {x}', 1, [['{"x":2}']]],
    ['nothing to a node without outputs', 'return', 0, []],
  ] as const)('%s', async (_what, code, outputs, expected) => {
    const result = await run(code, { outputs });
    expect(result.error).toBeUndefined();
    expect(result.outputs).toEqual(expected);
  });

  it.each([
    ['a number', 'return 5', 1, 'TypeError: a message must be an object, and not 5'],
    ['a text in a list', 'return ["a"]', 1, 'TypeError: a message must be an object, and not a'],
    [
      'a list too deep',
      'return [[[msg]]]',
      1,
      'TypeError: a message must be an object, and not [{"payload":1}]',
    ],
    ['a function', 'return () => 1', 1, 'TypeError: a message must be an object, and not () => 1'],
    [
      'too many elements',
      'return [msg, msg]',
      1,
      'TypeError: a list with 2 elements was sent, but there is one element for each of 1 outputs; several messages for one output are a list in that element',
    ],
    [
      'a message to a node without outputs',
      'return msg',
      0,
      'TypeError: a message was sent, but the node has no outputs',
    ],
    ['a number that JSON has not', 'return {a: 1n}', 1, 'TypeError: Do not know how to serialize a BigInt'],
  ] as const)('is refused: %s', async (_what, code, outputs, message) => {
    const { error } = await run(code, { outputs });
    expect(error?.message).toBe(message);
  });

  it('keeps what was sent before an error', async () => {
    const { outputs, error } = await run('node.send({a: 1}); throw new Error("stop")');
    expect(outputs).toEqual([['{"a":1}']]);
    expect(error).toEqual({ message: 'stop', line: 1, column: 26 });
  });
});

describe('errors', () => {
  it.each([
    ['an error', 'const a = 1;\n  throw new Error("no");', { message: 'no', line: 2, column: 9 }],
    [
      'an unknown name',
      'let x = 1;\n  foo.bar()',
      { message: 'ReferenceError: foo is not defined', line: 2, column: 3 },
    ],
    [
      'a name of its own',
      'const e = new Error("x"); e.name = "Mine"; throw e',
      { message: 'Mine: x', line: 1, column: 11 },
    ],
    [
      'an error in a function',
      'function f() {\n return null.x;\n}\nf()',
      { message: "TypeError: Cannot read properties of null (reading 'x')", line: 2, column: 14 },
    ],
    [
      'an error after waiting',
      'await null;\nundefined.x',
      { message: "TypeError: Cannot read properties of undefined (reading 'x')", line: 2, column: 11 },
    ],
    ['a text', 'throw "text"', { message: 'text' }],
    ['nothing', 'throw undefined', { message: 'undefined' }],
    ['an object', 'throw {code: 5}', { message: '{"code":5}' }],
    [
      'an assignment to an unknown name',
      'x = 1',
      { message: 'ReferenceError: x is not defined', line: 1, column: 3 },
    ],
    [
      'a promise that nothing resolves',
      'await new Promise(() => {})',
      { message: 'the code waits for a promise that nothing resolves' },
    ],
    ['an import', 'await import("fs")', { message: 'Not supported', line: 1, column: 1 }],
  ])('%s', async (_what, code, error) => {
    expect((await run(code)).error).toEqual(error);
  });

  it('ignores a rejected promise that nobody waits for, as it may come after the end', async () => {
    expect(await run('Promise.reject(new Error("late")); import("fs"); return msg')).toMatchObject({
      outputs: [['{"payload":1}']],
    });
  });
});

describe('looking for faults', () => {
  it.each([
    ['return msg', undefined],
    ['const msg2 = await store.get("a"); // end', undefined],
    ['const params = 1; const store = 2; return {params, store}', undefined],
    ['if (x {', { message: "SyntaxError: Unexpected token '{'", line: 1, column: 7 }],
    [
      'let a = 1;\n  let a = 2;',
      { message: "SyntaxError: Identifier 'a' has already been declared", line: 2, column: 7 },
    ],
    ['if (true) {\n', { message: 'SyntaxError: the code ends too early', line: 2, column: 1 }],
    [
      'with (msg) {}',
      { message: 'SyntaxError: Strict mode code may not include a with statement', line: 1, column: 1 },
    ],
    [
      'import fs from "fs"',
      { message: 'SyntaxError: Cannot use import statement outside a module', line: 1, column: 1 },
    ],
  ])('%s', async (code, fault) => {
    expect(await sandbox.check(code)).toEqual(fault);
  });

  it.each([
    '}); (async () => {',
    '} }); ({ async f() {',
    '}, async function () {',
    '}, {}, class { async f() {',
    '}[x] = async function () {',
    '} async other() {',
    '} } /*',
    '`',
    '} + function () {',
  ])('code that is more than the body of a function: %s', async (code) => {
    expect(await sandbox.check(code)).toMatchObject({ message: expect.stringContaining('SyntaxError') });
    expect((await run(code)).error?.message).toContain('SyntaxError');
  });
});

describe('what code may use', () => {
  it('a URL', async () => {
    const code = `const u = new URL('../b?x=1&y=a%20b#h', 'https://user:p@example.org:8080/a/c');
      u.searchParams.append('z', 'ü&');
      u.searchParams.delete('x');
      u.hash = 'top';
      return { text: String(u), json: u, host: u.host, origin: u.origin, path: u.pathname, user: u.username,
        pairs: [...u.searchParams], y: u.searchParams.get('y'), none: u.searchParams.get('n'), can: URL.canParse('x'), name: URL.name };`;
    const text = 'https://user:p@example.org:8080/b?y=a+b&z=%C3%BC%26#top';
    expect(await value(code)).toEqual({
      text,
      json: text,
      host: 'example.org:8080',
      origin: 'https://example.org:8080',
      path: '/b',
      user: 'user',
      pairs: [
        ['y', 'a b'],
        ['z', 'ü&'],
      ],
      y: 'a b',
      none: null,
      can: false,
      name: 'URL',
    });
    expect((await run('new URL("x")')).error?.message).toBe('TypeError: Invalid URL');
  });

  it('base64, UTF-8 and random identifiers', async () => {
    const code = `const id = crypto.randomUUID();
      return { encoded: base64.encode('aä€'), decoded: base64.decode('YcOk4oKs'), bytes: [...new TextEncoder().encode('aä€😀\\ud800')],
        isId: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id), isNew: id !== crypto.randomUUID() }`;
    expect(await value(code)).toEqual({
      encoded: 'YcOk4oKs',
      decoded: 'aä€',
      bytes: [...Buffer.from('aä€😀\ufffd')],
      isId: true,
      isNew: true,
    });
    expect((await run('base64.decode("ä")')).error?.message).toBe(
      'TypeError: base64.decode: the text is not base64',
    );
  });

  it('the parameters of a custom node', async () => {
    expect(await value('return {payload: params.name}', { params: '{"name":"x"}' })).toEqual({
      payload: 'x',
    });
    expect(await value('return {payload: typeof params}')).toEqual({ payload: 'undefined' });
  });

  it('nothing of the process', async () => {
    const names = [
      'require',
      'process',
      'module',
      'Buffer',
      'fetch',
      'setTimeout',
      'setImmediate',
      'queueMicrotask',
      'env',
      'eval',
      'Function',
      'WebAssembly',
      'SharedArrayBuffer',
      'Atomics',
      'WeakRef',
      'FinalizationRegistry',
      'ivm',
      'global',
      'performance',
      'structuredClone',
      'runs',
      '$0',
    ];
    const code = `return {payload: [${names.map((name) => `typeof ${name}`).join()}]}`;
    expect(payload(await value(code))).toEqual(names.map(() => 'undefined'));
  });

  it('the language on objects of its own', async () => {
    const code = `class Mine extends Error { constructor(m) { super(m); this.name = 'Mine'; this.message = m + '!'; } }
      const o = {}; o.toString = () => 'o'; o.constructor = 1; o.valueOf = () => 2; o.hasOwnProperty = 3;
      const copy = Object.assign({}, { toString: 4 });
      return { error: String(new Mine('m')), text: o.toString(), own: Object.keys(o), copy: copy.toString,
        sorted: [3, 1, 2].sort(), map: [...new Map([[1, 2]])], date: new Date(0).toISOString(), format: (1234.5).toLocaleString('de'),
        match: 'a1b2'.replace(/\\d/g, (d) => d * 2), groups: /(?<y>\\d)/.exec('x7').groups.y }`;
    expect(await value(code)).toEqual({
      error: 'Mine: m!',
      text: 'o',
      own: ['toString', 'constructor', 'valueOf', 'hasOwnProperty'],
      copy: 4,
      sorted: [1, 2, 3],
      map: [[1, 2]],
      date: '1970-01-01T00:00:00.000Z',
      format: '1.234,5',
      match: 'a2b4',
      groups: '7',
    });
  });
});

describe('calls', () => {
  it('go out with their arguments as JSON, and come back as values', async () => {
    const seen: string[] = [];
    const result = await value(
      `await store.set('a', {x: [1, 'ä']}); await store.set('b', undefined); await store.set('c', null);
       return { keys: await store.keys(), one: await store.get('a'), none: await store.get('n'), rows: await idb.list('main', 't', {limit: 2}) }`,
      {
        async call(name, args) {
          seen.push(`${name}${args}`);
          if (name === 'store.keys') return '["a"]';
          if (name === 'idb.list') return '[{"id":1}]';
          return args === '["a"]' ? '{"x":1}' : undefined;
        },
      },
    );
    expect(result).toEqual({ keys: ['a'], one: { x: 1 }, rows: [{ id: 1 }] });
    expect(seen).toEqual([
      'store.set["a",{"x":[1,"ä"]}]',
      'store.set["b"]',
      'store.set["c",null]',
      'store.keys[]',
      'store.get["a"]',
      'store.get["n"]',
      'idb.list["main","t",{"limit":2}]',
    ]);
  });

  it('are errors of the code when they fail, at their place', async () => {
    const call = async (): Promise<never> => {
      throw new Error('no such connection');
    };
    const { error } = await run('const a = 1;\n await idb.tables("x");', { call });
    expect(error).toEqual({ message: 'no such connection', line: 2, column: 12 });
    const caught = await value('try { await store.get("a") } catch (e) { return {payload: e.message} }', {
      call,
    });
    expect(caught).toEqual({ payload: 'no such connection' });
  });

  it('run at the same time', async () => {
    const call = async (_name: string, args: string): Promise<string> => args;
    const code = 'return {payload: await Promise.all([1, 2, 3].map((n) => idb.get("c", "t", n)))}';
    expect(await value(code, { call })).toEqual({
      payload: [1, 2, 3].map((n) => ['c', 't', n]),
    });
  });
});

describe('the log', () => {
  it('has a level and a text', async () => {
    const code = `node.warn({a: 1}); node.error(new TypeError('e')); console.log(1, {b: 2}, undefined, null, [1]); console.warn('w'); console.error(Symbol('s'))`;
    expect((await run(code)).logs).toEqual([
      'warn: {"a":1}',
      'error: TypeError: e',
      'log: 1 {"b":2} undefined null [1]',
      'warn: w',
      'error: Symbol(s)',
    ]);
  });

  it('comes in order with the calls', async () => {
    const order: string[] = [];
    await run('console.log("a"); await store.keys(); console.log("b")', {
      log: (_level, text) => order.push(text),
      call: async (name) => {
        order.push(name);
        return '[]';
      },
    });
    expect(order).toEqual(['a', 'store.keys', 'b']);
  });
});

it('answers many runs at once, each with its own result', async () => {
  const results = await Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      value(n % 3 === 0 ? 'await null; return msg' : 'return msg', { msg: { n } }),
    ),
  );
  expect(results).toEqual(Array.from({ length: 500 }, (_, n) => ({ n })));
});
