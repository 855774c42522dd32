/// <reference lib="esnext.iterator" />

/**
 * Makes the realm that it runs in immutable, so that no run can leave anything for another: everything that code
 * can reach without having made it is frozen. Only language globals of the list remain, and no way to compile text.
 *
 * The text of this function runs in the isolate, so it may use nothing outside of itself. It must run last, after
 * everything else has been put on the global object.
 *
 * @param more objects that no global name leads to
 */
export function harden(more: readonly object[]): void {
  const allowed = new Set([
    ...['Object', 'Array', 'Number', 'parseFloat', 'parseInt', 'Infinity', 'NaN', 'undefined', 'Boolean'],
    ...[
      'String',
      'Symbol',
      'Date',
      'Promise',
      'RegExp',
      'Error',
      'AggregateError',
      'EvalError',
      'RangeError',
    ],
    ...['ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'globalThis', 'JSON', 'Math', 'Intl'],
    ...['ArrayBuffer', 'Uint8Array', 'Int8Array', 'Uint16Array', 'Int16Array', 'Uint32Array', 'Int32Array'],
    ...['Float32Array', 'Float64Array', 'Uint8ClampedArray', 'BigUint64Array', 'BigInt64Array', 'DataView'],
    ...['Map', 'BigInt', 'Set', 'WeakMap', 'WeakSet', 'Proxy', 'Reflect', 'Iterator', 'decodeURI'],
    ...['decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape', 'isFinite', 'isNaN'],
    ...['URL', 'TextEncoder', 'crypto', 'base64'],
  ]);

  removeGlobals();
  const hidden = hiddenObjects();
  removeCompilers();
  removeSharedState();
  allowOverrides();
  freezeAll([globalThis, ...hidden, ...more]);

  function removeGlobals(): void {
    for (const name of Reflect.ownKeys(globalThis))
      if (typeof name !== 'string' || !allowed.has(name)) Reflect.deleteProperty(globalThis, name);
  }

  /** Objects that only syntax or results of calls lead to. */
  function hiddenObjects(): object[] {
    const instances: unknown[] = [
      function* () {},
      async function* () {},
      async () => {},
      (function* () {})(),
      (async function* () {})(),
      [][Symbol.iterator](),
      new Map()[Symbol.iterator](),
      new Set()[Symbol.iterator](),
      ''[Symbol.iterator](),
      ''.matchAll(/x/g),
      Iterator.from({ next: () => ({ done: true, value: undefined }) }),
      [].values().map((value) => value),
      new Intl.Segmenter().segment(''),
      new Intl.Segmenter().segment('')[Symbol.iterator](),
      new Uint8Array(),
    ];
    return instances.map((instance) => Reflect.getPrototypeOf(Object(instance)) ?? {});
  }

  /** `Function` and its siblings are also the `constructor` of every function. */
  function removeCompilers(): void {
    const refuse = (): never => {
      throw new TypeError('code cannot be made from text');
    };
    for (const sample of [() => {}, async () => {}, function* () {}, async function* () {}]) {
      const prototype = Reflect.getPrototypeOf(sample);
      if (prototype !== null)
        Reflect.defineProperty(prototype, 'constructor', { value: refuse, writable: false });
    }
  }

  /** Properties that V8 changes behind a frozen object: the last match of any expression. */
  function removeSharedState(): void {
    for (const name of Reflect.ownKeys(RegExp))
      if (!['length', 'name', 'prototype', Symbol.species].includes(name))
        Reflect.deleteProperty(RegExp, name);
    Reflect.deleteProperty(Object.prototype, '__proto__');
  }

  /**
   * A frozen prototype refuses `error.name = 'X'` on an object that inherits `name`. As accessors, these
   * properties can be assigned on objects that inherit them.
   */
  function allowOverrides(): void {
    const errors = [Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError];
    const prototypes: readonly (readonly [object, readonly string[]])[] = [
      [Object.prototype, Object.getOwnPropertyNames(Object.prototype)],
      ...[...errors, URIError].map(
        ({ prototype }) => [prototype, ['constructor', 'name', 'message', 'toString']] as const,
      ),
    ];
    for (const [prototype, names] of prototypes) for (const name of names) allowOverride(prototype, name);
  }

  function allowOverride(prototype: object, name: string): void {
    const descriptor = Reflect.getOwnPropertyDescriptor(prototype, name);
    if (descriptor === undefined || descriptor.writable !== true) return;
    const { value } = descriptor;
    Reflect.defineProperty(prototype, name, {
      get: () => value,
      set(this: unknown, own: unknown) {
        if (this === prototype || Object(this) !== this)
          throw new TypeError(`${name} cannot be changed here`);
        const made = { value: own, writable: true, enumerable: true, configurable: true };
        if (!Reflect.defineProperty(Object(this), name, made))
          throw new TypeError(`${name} cannot be changed here`);
      },
    });
  }

  function freezeAll(roots: readonly unknown[]): void {
    const seen = new Set<unknown>();
    const waiting = [...roots];
    while (waiting.length > 0) {
      const value = waiting.pop();
      if (Object(value) !== value || seen.has(value)) continue;
      seen.add(value);
      const object: object = Object(value);
      Object.freeze(object);
      waiting.push(Reflect.getPrototypeOf(object));
      for (const key of Reflect.ownKeys(object)) {
        const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
        waiting.push(descriptor?.value, descriptor?.get, descriptor?.set);
      }
    }
  }
}
