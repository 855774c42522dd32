import type { Host } from './host.ts';

/**
 * Puts on the global object what code may use besides the language: `crypto`, `base64` and the classes.
 *
 * The text of this function runs in the isolate, so it may use nothing outside of itself.
 *
 * @param classes by their global names
 */
export function installGlobals(host: Host, classes: Readonly<Record<string, object>>): void {
  const crypto = { randomUUID: (): string => host('randomUUID') ?? '' };
  const base64 = {
    encode: (text: unknown): string => host('base64.encode', String(text)) ?? '',
    decode(text: unknown): string {
      const decoded = host('base64.decode', String(text));
      if (decoded === undefined) throw new TypeError('base64.decode: the text is not base64');
      return decoded;
    },
  };
  for (const [name, value] of Object.entries({ ...classes, crypto, base64 })) {
    // A bundler may have given a class another name.
    if (typeof value === 'function') Reflect.defineProperty(value, 'name', { value: name });
    Reflect.defineProperty(globalThis, name, { value, configurable: true });
  }
}
