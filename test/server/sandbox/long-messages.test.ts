import { describe, expect, it } from 'vitest';
import { openSandbox } from './support.ts';

/** Messages as the HTTP input makes them of the largest bodies: the body is in them twice. */
const { run, value } = openSandbox();

const maxBytes = 10 * 2 ** 20;

/** A list as long as fits into a body. */
function fill(entry: (index: number) => unknown, maxLength = Number.POSITIVE_INFINITY): unknown[] {
  const list: unknown[] = [];
  for (let bytes = 2; list.length < maxLength; ) {
    const next = entry(list.length);
    bytes += JSON.stringify(next).length + 1;
    if (bytes > maxBytes) return list;
    list.push(next);
  }
  return list;
}

describe('a body of 10 MB', () => {
  it.each([
    ['a text', 'x'.repeat(maxBytes - 2)],
    ['a text that needs two bytes for each character', 'й'.repeat(maxBytes / 2 - 1)],
    ['rows', fill((id) => ({ id, name: `name ${id}`, price: id / 3, tags: ['a', 'b'] }))],
    ['as many objects as a body may have', fill((id) => ({ [`k${id}`]: 1 }), 499_000)],
  ])('goes through code each time: %s', async (_name, body) => {
    const msg = { payload: body, req: { body } };
    for (const code of [
      'return msg;',
      'await null; return { payload: msg.payload.length };',
      'return [msg];',
    ]) {
      const { outputs, error } = await run(code, { msg });
      expect([code, error, outputs[0]?.length]).toEqual([code, undefined, 1]);
    }
  });

  it.each([
    'const m = new Map(); for (let i = 0; ; i++) m.set(i, {});',
    '"x".repeat(1 << 28).split("");',
    'const all = []; for (;;) all.push(new ArrayBuffer(1 << 26));',
    'const all = []; for (;;) all.push(new Array(1e6).fill(all.length));',
  ])('protects nothing that needs memory without end: %s', async (code) => {
    const msg = { payload: 'x'.repeat(maxBytes - 2) };
    expect((await run(code, { msg })).error?.message).toMatch(
      /64 MB of memory|did not come to its end within|Invalid array|allocation failed/,
    );
    expect(await value('return { payload: msg.payload.length };', { msg })).toEqual({
      payload: maxBytes - 2,
    });
  });
});
