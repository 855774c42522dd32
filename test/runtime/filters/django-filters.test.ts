import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SafeString } from '../../../runtime/safe.ts';
import { EXCEPTIONS } from './django-exceptions.ts';
import { apply } from './shared.ts';

/** Calls recorded from Django's own test suite. They are not part of this repository. */
const CASES = new URL('../../../../shared/django-cases.json', import.meta.url);

interface FilterCase {
  readonly id: string;
  readonly filter: string;
  readonly args: readonly unknown[];
  readonly autoescape: boolean;
  readonly result: unknown;
}

describe.skipIf(!existsSync(CASES))(
  'results recorded from Django (skipped where the recording is absent)',
  () => {
    const cases = existsSync(CASES) ? readCases(CASES) : [];

    test.each(cases.filter((entry) => exceptionOf(entry) === undefined))('$id', (entry) => {
      expect(run(entry)).toStrictEqual(decode(entry.result));
    });

    test.each(cases.filter((entry) => exceptionOf(entry) !== undefined))('known to differ: $id', (entry) => {
      expect(run(entry)).not.toStrictEqual(decode(entry.result));
    });

    test('at least 98 % of the recorded calls agree, and every exception names a recorded one', () => {
      const ids = cases.map((entry) => entry.id);
      expect([...EXCEPTIONS.keys()].filter((key) => !ids.some((id) => id.endsWith(key)))).toEqual([]);
      expect(EXCEPTIONS.size / cases.length).toBeLessThan(0.02);
    });
  },
);

function run({ filter, args, autoescape }: FilterCase): unknown {
  const [value, ...rest] = args.map(decode);
  return apply(filter, value, rest, { autoescape });
}

function exceptionOf(entry: FilterCase): string | undefined {
  return [...EXCEPTIONS.keys()].find((key) => entry.id.endsWith(key));
}

function readCases(file: URL): FilterCase[] {
  const recorded: { cases: readonly { kind: string }[] } = JSON.parse(readFileSync(file, 'utf8'));
  return recorded.cases.filter((entry): entry is FilterCase & { kind: string } => entry.kind === 'filter');
}

/** The tagged forms of the recording: safe texts, tuples as lists, dates as the texts they are stored as. */
function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  const [[tag, content] = ['', undefined]] = Object.entries(value);
  if (tag === '$safe') return new SafeString(String(content));
  if (tag === '$tuple') return decode(content);
  if (tag === '$datetime' || tag === '$date') return content;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, decode(entry)]));
}
