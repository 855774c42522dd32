import { describe, expect, it } from 'vitest';
import { createFullInvalidation } from '../../../runtime/content/change-log.ts';
import { ApiResponseCache } from '../../../server/api/api-response-cache.ts';
import { ContentVersion } from '../../../server/changes/content-version.ts';
import type { ApiResponse } from '../../../server/http/api-exchange.ts';
import { BodyParts } from '../../../server/http/body/parts.ts';

/** One test for each condition at the head of api-response-cache.ts. */

function setUp() {
  const version = new ContentVersion();
  return {
    cache: new ApiResponseCache(version),
    change: () => version.move([createFullInvalidation(version.current() + 1)]),
  };
}

function answer(body: ApiResponse['body'], status = 200): ApiResponse {
  return { status, headers: [], body };
}

describe('a response', () => {
  it('belongs to path, query and caller', () => {
    const { cache } = setUp();
    cache.set('anyone', '/a?q=1', answer('1'), cache.version());
    cache.set('known', '/a?q=1', answer('2'), cache.version());
    cache.set('known', '/a?', answer('3'), cache.version());
    expect(cache.get('anyone', '/a?q=1')).toEqual(answer('1'));
    expect(cache.get('known', '/a?q=1')).toEqual(answer('2'));
    expect(cache.get('known', '/a?')).toEqual(answer('3'));
    expect(cache.get('anyone', '/a?')).toBeUndefined();
    expect(cache.get('known', '/b?')).toBeUndefined();
  });

  it('ends when content changes', () => {
    const { cache, change } = setUp();
    cache.set('anyone', '/a?', answer('1'), cache.version());
    change();
    expect(cache.get('anyone', '/a?')).toBeUndefined();
  });

  it('is not kept if content has changed since its request began', () => {
    const { cache, change } = setUp();
    const since = cache.version();
    change();
    cache.set('anyone', '/a?', answer('old'), since);
    expect(cache.get('anyone', '/a?')).toBeUndefined();
  });

  it.each([
    ['another status', answer('x', 404)],
    ['a body in parts', answer(new BodyParts([Buffer.from('x')]))],
    ['a body above the limit', answer(Buffer.alloc(33 * 2 ** 20))],
  ])('is not kept with %s', (_, response) => {
    const { cache } = setUp();
    cache.set('anyone', '/a?', response, cache.version());
    expect(cache.get('anyone', '/a?')).toBeUndefined();
  });
});
