import { describe, expect, it } from 'vitest';
import { encodeTagged } from '../../../../runtime/tasks/encode.ts';
import { CachedBody } from '../../../../server/http/responses/cached-body.ts';

describe('the tags of a body', () => {
  const encoded = encodeTagged('a', 'often', undefined);
  const body = new CachedBody(encoded);
  const { tag } = encoded;

  it.each([
    ['', false],
    [`"${tag}"`, true],
    [`"${tag}-br"`, true],
    [`"${tag}-br-best"`, true],
    [`W/"${tag}-gzip"`, true],
    [`"x", "y", W/"${tag}-gzip"`, true],
    ['*', true],
    [' * ', true],
    [`"${tag}x"`, false],
    [`"x${tag}"`, false],
    [tag, false],
    [`"${tag}`, false],
    ['"', false],
  ])('are named by %j: %s', (header, expected) => {
    expect(body.isNamedBy(header)).toBe(expected);
  });
});
