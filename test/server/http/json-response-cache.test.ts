import { describe, expect, it } from 'vitest';
import { createFullInvalidation } from '../../../runtime/content/change-log.ts';
import { JsonResponseCache } from '../../../server/api/json-response-cache.ts';
import { ContentVersion } from '../../../server/changes/content-version.ts';
import { BodyParts } from '../../../server/http/body/parts.ts';

/** One test for each condition at the head of versioned-cache.ts. */

function setUp() {
  const version = new ContentVersion();
  return {
    answers: new JsonResponseCache(version),
    change: () => version.move([createFullInvalidation(version.current() + 1)]),
  };
}

async function textOf(
  answers: JsonResponseCache,
  key: string,
  make: () => Promise<unknown>,
): Promise<string> {
  const { body } = await answers.json(key, make);
  return Buffer.from(body instanceof BodyParts ? body.joined() : (body ?? '')).toString();
}

describe('an answer', () => {
  it('is computed once and reused until content changes', async () => {
    const { answers, change } = setUp();
    let made = 0;
    const make = async () => ({ made: ++made });
    expect(await textOf(answers, 'a', make)).toBe('{"made":1}');
    expect(await textOf(answers, 'a', make)).toBe('{"made":1}');
    change();
    expect(await textOf(answers, 'a', make)).toBe('{"made":2}');
  });

  it('belongs to its key', async () => {
    const { answers } = setUp();
    expect(await textOf(answers, 'a', async () => 'of a')).toBe('"of a"');
    expect(await textOf(answers, 'b', async () => 'of b')).toBe('"of b"');
    expect(await textOf(answers, 'a', async () => 'late')).toBe('"of a"');
  });

  it('is not kept when content changes during its computation', async () => {
    const { answers, change } = setUp();
    const make = async () => {
      change();
      return 'old';
    };
    expect(await textOf(answers, 'a', make)).toBe('"old"');
    expect(await textOf(answers, 'a', async () => 'new')).toBe('"new"');
  });

  it('in computation is shared by calls at the same version, and not by later calls', async () => {
    const { answers, change } = setUp();
    let finish = (_value: string): void => {};
    const slow = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const first = textOf(answers, 'a', () => slow);
    const second = textOf(answers, 'a', async () => 'own');
    change();
    const later = textOf(answers, 'a', async () => 'new');
    expect(await later).toBe('"new"');
    finish('old');
    expect(await first).toBe('"old"');
    expect(await second).toBe('"old"');
    expect(await textOf(answers, 'a', async () => 'unused')).toBe('"new"');
  });

  it('is computed again after a failure', async () => {
    const { answers } = setUp();
    const failing = async () => {
      throw new Error('no');
    };
    await expect(answers.json('a', failing)).rejects.toThrow('no');
    expect(await textOf(answers, 'a', async () => 'yes')).toBe('"yes"');
  });

  it('is not kept when it is larger than its part of the cache', async () => {
    const { answers } = setUp();
    const large = 'x'.repeat(33 * 2 ** 20);
    expect(await textOf(answers, 'a', async () => large)).toHaveLength(large.length + 2);
    expect(await textOf(answers, 'a', async () => 'small')).toBe('"small"');
  });
});
