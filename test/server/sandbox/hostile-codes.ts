/** What must become of a hostile code. */
export interface HostileCode {
  readonly what: string;
  readonly code: string;
  /** Part of the error; undefined if the code does no harm. */
  readonly error?: RegExp;
}

const time = /did not come to its end within/;
const memory =
  /MB of memory|did not come to its end within|Array buffer allocation failed|Invalid (string|array|typed array) length|Map maximum size|Set maximum size/;

function codes(error: RegExp | undefined, table: readonly (readonly [string, string])[]): HostileCode[] {
  return table.map(([what, code]) => ({ what, code, ...(error === undefined ? {} : { error }) }));
}

/** Codes that end the process in which they run. */
export const deadlyCodes: readonly HostileCode[] = [
  ...codes(time, [
    ['a loop', 'while (true);'],
    ['a loop after waiting', 'await null; while (true);'],
    ['promises without end', 'const f = () => Promise.resolve().then(f); f(); return msg'],
    ['a thenable that calls itself', 'const t = { then(done) { done(t) } }; return t'],
    [
      'an asynchronous generator without end',
      'async function* g() { while (true) yield 1 } for await (const x of g());',
    ],
    ['a getter without end in a message', 'return { get a() { while (true); } }'],
    ['a proxy without end', 'return new Proxy({}, { ownKeys() { while (true); } })'],
    [
      'an error with a message without end',
      'const e = new Error("x"); Object.defineProperty(e, "message", { get() { while (true); } }); throw e',
    ],
    ['an expression with endless backtracking', '/^(a+)+$/.test("a".repeat(40) + "b")'],
    ['a huge number', 'let n = 3n; while (true) n = n * n % (2n ** 100000n)'],
    ['a log without end', 'for (;;) console.log("x".repeat(1e6))'],
    ['endless tries against the end of the stack', 'function f() { try { f() } finally { f() } } f()'],
  ]),
  ...codes(memory, [
    [
      'a growing buffer',
      'const b = new ArrayBuffer(1, { maxByteLength: 2 ** 33 }); b.resize(2 ** 33); new Uint8Array(b).fill(1); return msg',
    ],
    ['a text in pieces', '"x".repeat(1 << 28).split("")'],
    ['a spread text', '[..."x".repeat(5e8)]'],
    ['a growing map', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, {})'],
    ['a full list', 'new Array(2 ** 32 - 2).fill(0)'],
    ['many small pieces', 'const list = []; for (;;) list.push([1, 2, { a: 1 }])'],
    ['a huge message', 'return { list: Array.from({ length: 5e6 }, (_, n) => ({ n })) }'],
  ]),
];

/** Codes that fail, or do no harm, without ending anything. */
export const harmlessCodes: readonly HostileCode[] = [
  ...codes(/waits for a promise/, [
    ['a promise that never ends', 'await new Promise(() => {})'],
    ['a thenable that never ends', 'return { then() {} }'],
    ['a race of nothing', 'await Promise.race([])'],
    [
      'an asynchronous iterator that never gives',
      'for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });',
    ],
  ]),
  ...codes(/Maximum call stack size exceeded/, [
    ['a function that calls itself', 'function f() { f() } f()'],
    ['deep JSON', 'let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return o'],
    ['toString that calls itself', 'const o = { toString() { return String(this) } }; throw new Error(o)'],
    ['a proxy of proxies', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x'],
  ]),
  ...codes(/Array buffer allocation failed|Invalid|length/, [
    ['buffers without end', 'const list = []; for (;;) list.push(new ArrayBuffer(1 << 26))'],
    ['typed arrays without end', 'const list = []; for (;;) list.push(new Uint8Array(1 << 24).fill(1))'],
    ['a text that doubles', 'let s = "x"; for (;;) s += s'],
    ['a padded text', '"".padEnd(2 ** 31)'],
    ['a list that is too long', 'new Array(2 ** 32)'],
  ]),
  ...codes(/is not defined/, [
    ['WebAssembly', 'new WebAssembly.Memory({ initial: 65536 })'],
    ['shared memory', 'new SharedArrayBuffer(1)'],
    ['waiting', 'Atomics.wait(new Int32Array(4), 0, 0)'],
    ['timers', 'setTimeout(() => { while (true); }, 0)'],
    ['require', 'require("fs")'],
    ['the process', 'process.exit()'],
    ['fetch', 'await fetch("http://127.0.0.1/")'],
    ['eval', 'eval("1")'],
    ['Function', 'new Function("return 1")()'],
    ['weak references', 'new WeakRef({})'],
    ['a global of the sandbox', 'runs.turn("")'],
  ]),
  ...codes(/code cannot be made from text/, [
    ['the constructor of functions', '(() => {}).constructor("return process")()'],
    ['the constructor of asynchronous functions', '(async () => {}).constructor("return process")()'],
    ['the constructor of constructors', '"".constructor.constructor("return process")()'],
  ]),
  ...codes(/Not supported/, [['an import', 'await import("node:fs")']]),
  ...codes(/Cannot add property|Cannot assign|object is not extensible|Cannot define/, [
    ['a changed prototype', 'Array.prototype.trace = 1'],
    ['a changed global', 'globalThis.trace = 1'],
    ['a changed JSON', 'JSON.parse = () => 1'],
    ['how stacks are made', 'Error.prepareStackTrace = (e, s) => s.map((f) => f.getThis())'],
  ]),
  ...codes(/'caller', 'callee', and 'arguments' properties may not be accessed/, [
    ['the called function', 'arguments.callee()'],
    ['the caller', '(function f() { return f.caller })()'],
  ]),
  ...codes(/cannot be shown|cannot convert|thrown|no|trap/i, [
    [
      'an error with a getter that throws',
      'const e = new Error(); Object.defineProperty(e, "message", { get() { throw 1 } }); throw e',
    ],
    [
      'an error with a stack that throws',
      'const e = new Error("x"); Object.defineProperty(e, "stack", { get() { throw 1 } }); throw e',
    ],
    [
      'an error with a name that is no text',
      'const e = new Error("x"); e.name = { toString() { throw 1 } }; throw e',
    ],
    ['a thrown proxy', 'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 1 } })'],
    ['a thrown object without a prototype', 'const o = Object.create(null); o.o = o; throw o'],
    ['a message with a getter that throws', 'return { get a() { throw new Error("thrown") } }'],
    [
      'a message that contains itself',
      'msg.msg = msg; msg.toString = 1; throw new Error("no: " + (() => { try { return JSON.stringify(msg) } catch (e) { return e.message } })())',
    ],
    ['a proxy as a list', 'return new Proxy([], { get() { throw new Error("trap") } })'],
  ]),
  ...codes(/calls of store and idb/, [
    ['writes without end', 'for (let i = 0; i < 1e6; i++) store.set("k" + i, i)'],
    ['entries without end', 'for (let i = 0; i < 1e6; i++) idb.create("c", "t", { i })'],
    ['reads without end', 'for (;;) await store.get("a")'],
  ]),
  ...codes(/messages sent in one run/, [['messages without end', 'for (;;) node.send({})']]),
  ...codes(/is longer than/, [
    ['a message that is too long', 'return { text: "x".repeat(11 * 2 ** 20) }'],
    ['an argument that is too long', 'await store.set("a", "x".repeat(11 * 2 ** 20))'],
    ['messages that are too long together', 'const text = "x".repeat(2 ** 22); for (;;) node.send({ text })'],
  ]),
  ...codes(undefined, [
    ['a flood of log entries', 'for (let i = 0; i < 1e5; i++) console.log("x".repeat(100)); return msg'],
    ['a flood of warnings', 'for (let i = 0; i < 1e5; i++) node.warn({ i }); return msg'],
    [
      'a log entry that throws',
      'console.log({ toJSON() { throw 1 } }, { toString() { throw 1 } }, new Proxy({}, { get() { throw 1 } })); return msg',
    ],
    ['rejected promises', 'for (let i = 0; i < 1000; i++) Promise.reject(new Error("x")); return msg'],
    [
      'a function that swallows the end of the stack',
      'function f() { try { f() } catch { store.get("x"); console.log("deep"); node.send({ deep: 1 }) } } try { f() } catch {} return msg',
    ],
    [
      'many formats',
      'for (let i = 0; i < 50; i++) new Intl.DateTimeFormat(["de", "en"][i % 2], { timeZone: "Europe/Berlin" }).format(new Date(NaN > 0 ? 0 : 8.64e15)); return msg',
    ],
    ['dates out of range', 'return { date: String(new Date(1e20)), json: new Date(NaN) }'],
    [
      'keys of prototypes',
      'return JSON.parse("{\\"__proto__\\":{\\"x\\":1},\\"constructor\\":{\\"prototype\\":{\\"x\\":1}}}")',
    ],
    ['half characters', 'console.log("\\ud800"); return { text: "\\udc00", ["\\ud800"]: 1 }'],
    ['line ends in texts', 'console.log("a\\n\\r\\u2028]["); return { text: "\\n][\\u0000" }'],
    ['a registry of symbols', 'for (let i = 0; i < 1e4; i++) Symbol.for("s" + i); return msg'],
    [
      'a URL of anything',
      'for (const a of ["", "x", "http://[::1", "http://a:99999", {}, null]) URL.canParse(a); return msg',
    ],
  ]),
];
