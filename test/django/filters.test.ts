import { describe, expect, test } from 'vitest';
import { SafeString } from '../../runtime/values/safe.ts';
import { apply } from '../runtime/filters/shared.ts';
import { knownExceptions } from './exceptions.ts';
import { recordedCases } from './recording.ts';

/** Calls of filters in the recording: the returned value, whether it is safe, and its printed form. */
interface FilterCase {
  readonly id: string;
  readonly kind: string;
  readonly filter: string;
  readonly args: readonly unknown[];
  readonly autoescape: boolean;
  readonly result: unknown;
}

const cases = recordedCases<FilterCase>().filter(({ kind }) => kind === 'filter');

describe.skipIf(cases.length === 0)(
  'results recorded from Django (skipped where the recording is absent)',
  () => {
    test.each(cases.filter(({ id }) => !knownExceptions.has(id)))('$id', (entry) => {
      expect(run(entry)).toStrictEqual(decode(entry.result));
    });
  },
);

function run({ filter, args, autoescape }: FilterCase): unknown {
  const [value, ...rest] = args.map(decode);
  return apply(filter, value, rest, { autoescape });
}

/** Decodes tagged values of the recording: safe texts, tuples as lists, dates as texts. */
function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  const [[tag, content] = ['', undefined]] = Object.entries(value);
  if (tag === '$safe') return new SafeString(String(content));
  if (tag === '$tuple') return decode(content);
  if (tag === '$datetime' || tag === '$date') return content;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, decode(entry)]));
}
