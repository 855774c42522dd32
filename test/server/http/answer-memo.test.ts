import { describe, expect, it } from 'vitest';
import { type AnswerMemo, createAnswerMemo } from '../../../server/http/answer-memo.ts';

/** One test per condition in the head of answer-memo.ts. */

function setUp() {
  const contentVersion = new SharedArrayBuffer(4);
  const version = new Int32Array(contentVersion);
  return { answers: createAnswerMemo(contentVersion), change: () => Atomics.add(version, 0, 1) };
}

async function textOf(answers: AnswerMemo, key: string, make: () => Promise<unknown>): Promise<string> {
  const { body } = await answers.json(key, make);
  return Buffer.from(body ?? '').toString();
}

describe('an answer', () => {
  it('is made once and given again until content changes', async () => {
    const { answers, change } = setUp();
    let made = 0;
    const make = async () => ({ made: ++made });
    expect(await textOf(answers, 'a', make)).toBe('{"made":1}');
    expect(await textOf(answers, 'a', make)).toBe('{"made":1}');
    change();
    expect(await textOf(answers, 'a', make)).toBe('{"made":2}');
  });

  it('is that of its key', async () => {
    const { answers } = setUp();
    expect(await textOf(answers, 'a', async () => 'of a')).toBe('"of a"');
    expect(await textOf(answers, 'b', async () => 'of b')).toBe('"of b"');
    expect(await textOf(answers, 'a', async () => 'late')).toBe('"of a"');
  });

  it('is not kept when content changes while it is made', async () => {
    const { answers, change } = setUp();
    const make = async () => {
      change();
      return 'old';
    };
    expect(await textOf(answers, 'a', make)).toBe('"old"');
    expect(await textOf(answers, 'a', async () => 'new')).toBe('"new"');
  });

  it('in the making is shared by those who ask at the same version, and by nobody later', async () => {
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

  it('that failed is tried again', async () => {
    const { answers } = setUp();
    const failing = async () => {
      throw new Error('no');
    };
    await expect(answers.json('a', failing)).rejects.toThrow('no');
    expect(await textOf(answers, 'a', async () => 'yes')).toBe('"yes"');
  });

  it('that is larger than the memo is given but not kept', async () => {
    const { answers } = setUp();
    const large = 'x'.repeat(33 * 2 ** 20);
    expect(await textOf(answers, 'a', async () => large)).toHaveLength(large.length + 2);
    expect(await textOf(answers, 'a', async () => 'small')).toBe('"small"');
  });
});
