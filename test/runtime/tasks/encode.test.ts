import { describe, expect, it } from 'vitest';
import { encodeBody } from '../../../runtime/tasks/encode.ts';

describe('the bytes of a text', () => {
  it.each([
    ['none', ''],
    ['ASCII', 'a<b>'],
    ['two, three and four bytes for a character', 'é – 😀'],
    ['halves of characters', 'a\ud83d b\ude00'],
    ['as many as fit into the shared memory', '–'.repeat(2 ** 20 / 3)],
    ['more than fit', '–'.repeat(2 ** 20)],
  ])('are its UTF-8: %s', (_, text) => {
    const expected = new TextEncoder().encode(text);
    const { identity } = encodeBody(text, 'once', undefined);
    expect(expected.every((byte, index) => identity[index] === byte)).toBe(true);
    expect(identity.byteLength).toBe(expected.byteLength);
    expect(identity.buffer.byteLength).toBe(expected.byteLength);
  });

  it('of one text stay as they are while others are made', () => {
    const first = encodeBody('first', 'once', undefined);
    encodeBody('other', 'once', undefined);
    expect(Buffer.from(first.identity).toString()).toBe('first');
  });
});
