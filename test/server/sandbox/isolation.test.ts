import { describe, expect, it } from 'vitest';
import { openSandbox } from './support.ts';

/** One process, so that all runs share its context. */
const { run, value } = openSandbox();

/** Gives every object that code can reach and that it has not made itself, by path. */
const walk = `
  const seen = new Map();
  const waiting = [];
  const add = (object, path) => {
    if (Object(object) !== object || seen.has(object)) return;
    seen.set(object, path);
    waiting.push(object);
  };
  add(globalThis, 'globalThis');
  const samples = {
    function: function () {}, arrow: () => {}, async: async () => {}, generator: function* () {}, asyncGenerator: async function* () {},
    running: Object.getPrototypeOf((function* () {})()), asyncRunning: Object.getPrototypeOf((async function* () {})()), array: [], text: '', number: 1, symbol: Symbol(), big: 1n,
    arrayIterator: [].values(), mapIterator: new Map().entries(), setIterator: new Set().values(), textIterator: ''[Symbol.iterator](),
    match: ''.matchAll(/x/g), expression: /x/, result: /x/.exec('x'), error: new Error(), promise: Promise.resolve(), date: new Date(),
    wrapped: Iterator.from({ next() { return { done: true } } }), helper: [].values().map((x) => x), proxy: new Proxy({}, {}),
    segments: new Intl.Segmenter().segment(''), segmentIterator: new Intl.Segmenter().segment('')[Symbol.iterator](),
    format: new Intl.NumberFormat(), bytes: new Uint8Array(), buffer: new ArrayBuffer(1), view: new DataView(new ArrayBuffer(1)),
    weak: new WeakMap(), class: class {}, bound: (() => {}).bind(), url: new URL('x:y'), encoder: new TextEncoder(),
    params: new URL('x:y').searchParams, entries: new URL('x:y?a=1').searchParams.entries(), arguments: arguments,
    thrower: Object.getOwnPropertyDescriptor(arguments, 'callee').get, template: ((strings) => strings)\`a\`,
  };
  const own = new Set(Object.values(samples));
  for (const [name, sample] of Object.entries(samples)) add(Object.getPrototypeOf(sample), name + '.prototype');
  while (waiting.length > 0) {
    const object = waiting.pop();
    const path = seen.get(object);
    add(Object.getPrototypeOf(object), path + '.[[Prototype]]');
    for (const key of Reflect.ownKeys(object)) {
      const { value, get, set } = Object.getOwnPropertyDescriptor(object, key);
      add(value, path + '.' + String(key));
      add(get, path + '.get ' + String(key));
      add(set, path + '.set ' + String(key));
    }
  }
`;

describe('what runs share', () => {
  it('cannot be changed: every object that code reaches is frozen', async () => {
    const found = await value(
      `${walk} return { count: seen.size, changeable: [...seen].filter(([o]) => !Object.isFrozen(o)).map(([, path]) => path) }`,
    );
    expect(found).toEqual({ count: expect.any(Number), changeable: [] });
    expect(Reflect.get(Object(found), 'count')).toBeGreaterThan(700);
  });

  it('has no setter that keeps anything', async () => {
    const code = `${walk}
      const setters = [...seen].filter(([o, path]) => path.includes('.set ')).map(([o, path]) => path);
      return { setters: setters.filter((path) => !/prototype|\\[\\[Prototype\\]\\]/i.test(path)) }`;
    expect(await value(code)).toEqual({ setters: [] });
  });

  it('has no way to make code from text', async () => {
    const code = `const found = [];
      for (const f of [() => {}, async () => {}, function* () {}, async function* () {}, class {}, URL, Object, Reflect.apply, store.get, node.send, crypto.randomUUID])
        for (const make of [(C) => C('return 1')(), (C) => new C('return 1')(), (C) => Reflect.construct(C, ['return 1'], Object)])
          try { make(f.constructor); found.push(String(f)); } catch (error) { if (error.message !== 'code cannot be made from text' && !/not a constructor/.test(error.message)) found.push(error.message); }
      return { found }`;
    expect(await value(code)).toEqual({ found: [] });
  });
});

/**
 * What a run may try to leave behind, and what a later run looks at. Runs are strict, so most attempts are errors;
 * the attempt itself catches them, because another spelling may not fail.
 */
const traces = [
  ['a global', 'globalThis.trace = 1', 'globalThis.trace'],
  ['a global without a declaration', 'trace = 1', 'typeof trace'],
  ['a method of lists', 'Array.prototype.map = () => 1', '[2].map((x) => x)[0]'],
  ['a property of all objects', 'Object.prototype.trace = 1', '({}).trace'],
  ['a defined property', 'Object.defineProperty(Object.prototype, "trace", {get: () => 1})', '({}).trace'],
  ['a prototype', 'Object.setPrototypeOf(Array.prototype, {trace: 1})', '[].trace'],
  ['__proto__', 'const o = {}; o.__proto__.trace = 1', '({}).trace'],
  ['JSON', 'JSON.parse = () => ({trace: 1})', 'JSON.parse("{}").trace'],
  ['then', 'Promise.prototype.then = () => 1', 'typeof Promise.resolve().then(() => {}).then'],
  ['a symbol', 'Symbol.trace = Symbol("x")', 'typeof Symbol.trace'],
  ['a property of a registered symbol', 'Object.prototype[Symbol.for("t")] = 1', '({})[Symbol.for("t")]'],
  [
    'the last match',
    '/(se)(cret)/.exec("secret"); void 0',
    '[RegExp.$1, RegExp.lastMatch, RegExp.input, RegExp["$&"], RegExp.leftContext].join()',
  ],
  ['the place in an expression', 'const e = () => /a/g; e().exec("aa")', '/a/g.lastIndex'],
  ['the list of a template', 'const t = (s) => s; t`x`.trace = 1', '((s) => s)`x`.trace'],
  [
    'how stacks are made',
    'Error.prepareStackTrace = (e, s) => s.map((f) => f.getThis())',
    'typeof new Error("x").stack',
  ],
  ['the length of stacks', 'Error.stackTraceLimit = 0', 'new Error("x").stack.includes("<code>")'],
  ['a prepared stack', 'Error.captureStackTrace(Object.prototype)', 'Object.prototype.stack'],
  ['the URL class', 'URL.prototype.trace = 1; URL.parse = 1', '[URL.prototype.trace, URL.parse].join()'],
  ['a part of all URLs', 'Object.defineProperty(URL.prototype, "href", {value: "x"})', 'new URL("a:b").href'],
  [
    'the queries of URLs',
    'new URL("a:b").searchParams.constructor.prototype.get = () => 1',
    'new URL("a:b?q=2").searchParams.get("q")',
  ],
  ['crypto', 'crypto.randomUUID = () => "x"', 'crypto.randomUUID().length'],
  ['base64', 'base64.encode = () => "x"', 'base64.encode("a")'],
  [
    'the store object',
    'store.trace = 1; store.get.trace = 1; console.trace = 1; node.trace = 1; idb.trace = 1',
    '[store.trace, store.get.trace, console.trace, node.trace, idb.trace].join()',
  ],
  ['the message', 'msg.trace = 1', 'msg.trace'],
  [
    'the parameters of the wrapper',
    'arguments[0].trace = 1; arguments[5].trace = 1',
    '[...arguments].map((a) => a?.trace).join()',
  ],
  ['the called function', 'arguments.callee.trace = 1', '1'],
  ['a caller', '(function f() { f.caller.trace = 1 })()', '1'],
  ['this', 'this.trace = 1', 'typeof this'],
  ['a number format', 'Intl.NumberFormat.prototype.format = 1; Intl.trace = 1', 'Intl.trace'],
  [
    'iterators',
    '[].values().constructor.prototype.trace = 1; Object.getPrototypeOf([].values()).next = () => ({done: true})',
    '[...[1]].length',
  ],
  ['generators', 'Object.getPrototypeOf(function* () {}).prototype.trace = 1', '(function* () {})().trace'],
  ['asynchronous functions', 'Object.getPrototypeOf(async () => {}).trace = 1', '(async () => {}).trace'],
  ['typed arrays', 'Object.getPrototypeOf(Uint8Array).trace = 1', 'Uint8Array.trace'],
  ['the wrong values', 'NaN = 1; undefined = 2; Infinity = 3', 'NaN !== NaN && undefined === void 0'],
  [
    'names of errors',
    'TypeError.prototype.name = "x"; Error.prototype.message = "y"',
    'new TypeError("m").toString()',
  ],
  [
    'private marks on shared objects',
    'class A extends (function (o) { return o }) { #x = 1; static has(o) { return #x in o } }; new A(Object.prototype)',
    'class A extends (function (o) { return o }) { #x = 1; static has(o) { return #x in o } }; return {payload: String(A.has(Object.prototype))}',
  ],
  [
    'deleting',
    'delete Array.prototype.push; delete globalThis.JSON; delete Object.prototype.toString',
    '[typeof [].push, typeof JSON, typeof ({}).toString].join()',
  ],
] as const;

describe('a run finds no trace of the run before it', () => {
  it.each(traces)('%s', async (_what, attempt, look) => {
    const looking = look.includes('return') ? look : `return {payload: String(${look})}`;
    const before = await value(looking);
    for (const code of [attempt, `try { ${attempt} } catch {} return msg`, `await null; ${attempt}`])
      await run(code);
    const ids = look.includes('UUID') ? before : await value(looking);
    expect(ids).toEqual(before);
    expect(await value(looking)).toEqual(before);
  });
});

describe('a run that has ended', () => {
  it('is not woken by an answer that comes late', async () => {
    const answers: (() => void)[] = [];
    const call = (): Promise<string> => new Promise((resolve) => answers.push(() => resolve('1')));
    const ended = await run(
      'store.get("a").then(() => { console.log("woken"); node.send({late: 1}) }); return msg',
      { call },
    );
    expect(ended.outputs).toEqual([['{"payload":1}']]);
    for (const answer of answers) answer();
    const next = await run('await store.get("b"); return {payload: 2}', { call: async () => '1' });
    expect(next).toMatchObject({ outputs: [['{"payload":2}']], logs: [] });
    expect(ended.logs).toEqual([]);
  });

  it('does nothing more with its objects', async () => {
    const code =
      'const later = async () => { await null; await null; await null; node.send({late: 1}); console.log("late"); await store.get("x") }; later(); return msg';
    expect(await run(code)).toMatchObject({ outputs: [['{"payload":1}']], logs: [] });
  });
});

describe('what a process gives away', () => {
  it('no objects of the host in stacks, and no names of files', async () => {
    const call = async (): Promise<never> => {
      throw new Error('refused');
    };
    const code = 'try { await idb.tables("x") } catch (e) { return {payload: e.stack} }';
    const stack = JSON.stringify(await value(code, { call }));
    expect(stack).toContain('<code>');
    expect(stack).not.toMatch(/file:|node:|\/server\/|isolated/);
    const thrown = JSON.stringify(
      await value('try { new URL("x") } catch (e) { return {payload: e.stack} }'),
    );
    expect(thrown).not.toMatch(/file:|node:|\/server\/|\.ts|\.mjs/);
  });

  it('only functions and values of the realm', async () => {
    const code = `${walk} return { foreign: [...seen].filter(([o]) => !(o instanceof Object) && Object.getPrototypeOf(o) !== null && o !== Object.prototype).map(([, p]) => p),
      handles: [...seen].filter(([o]) => /^(Reference|ExternalCopy|Callback|Isolate|Context|Script|Module)$/.test(o.constructor?.name)).map(([, p]) => p) }`;
    expect(await value(code)).toMatchObject({ foreign: [], handles: [] });
  });
});
