import { describe, expect, it } from 'vitest';
import { slicedJson } from '../../../server/http/json/sliced.ts';

async function* slicesOf(lists: readonly (readonly unknown[])[]) {
  yield* lists;
}

describe('slicedJson', () => {
  it.each([[[]], [[[]]], [[[1]]], [[[], [{ a: 'ä' }, 2], [], [[3]]]]])(
    '%j is the JSON of one list',
    async (lists) => {
      const body = await slicedJson(slicesOf(lists));
      expect(new TextDecoder().decode(body.joined())).toBe(JSON.stringify(lists.flat(1)));
    },
  );
});
