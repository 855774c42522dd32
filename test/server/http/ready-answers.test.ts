import { describe, expect, it } from 'vitest';
import { changeOfEverything } from '../../../runtime/content/change-log.ts';
import { ReadyAnswers } from '../../../server/api/ready-answers.ts';
import { ContentVersion } from '../../../server/changes/content-version.ts';
import type { ApiResponse } from '../../../server/http/api-exchange.ts';
import { BodyParts } from '../../../server/http/body/parts.ts';

/** One test for each condition at the head of ready-answers.ts. */

function setUp() {
  const version = new ContentVersion();
  const ready = new ReadyAnswers(version);
  return {
    ready,
    change: () => {
      version.move([changeOfEverything(version.current() + 1)]);
      ready.clear();
    },
  };
}

function answer(body: ApiResponse['body'], status = 200): ApiResponse {
  return { status, headers: [], body };
}

describe('a ready answer', () => {
  it('belongs to path, query and caller', () => {
    const { ready } = setUp();
    ready.keep('/a', 'q=1', 'anyone', answer('1'), ready.version());
    ready.keep('/a', 'q=1', 'known', answer('2'), ready.version());
    ready.keep('/a', '', 'known', answer('3'), ready.version());
    expect(ready.find('/a', 'q=1')).toEqual({ anyone: answer('1'), known: answer('2') });
    expect(ready.find('/a', '')).toEqual({ known: answer('3') });
    expect(ready.find('/b', '')).toBeUndefined();
  });

  it('ends when content changes', () => {
    const { ready, change } = setUp();
    ready.keep('/a', '', 'anyone', answer('1'), ready.version());
    change();
    expect(ready.find('/a', '')).toBeUndefined();
  });

  it('is not kept if content has changed since its request began', () => {
    const { ready, change } = setUp();
    const since = ready.version();
    change();
    ready.keep('/a', '', 'anyone', answer('old'), since);
    expect(ready.find('/a', '')).toBeUndefined();
  });

  it.each([
    ['another status', answer('x', 404)],
    ['a body in parts', answer(new BodyParts([Buffer.from('x')]))],
    ['a body above the limit', answer(Buffer.alloc(33 * 2 ** 20))],
  ])('is not kept with %s', (_, response) => {
    const { ready } = setUp();
    ready.keep('/a', '', 'anyone', response, ready.version());
    expect(ready.find('/a', '')).toBeUndefined();
  });
});
