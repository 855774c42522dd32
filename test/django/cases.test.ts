/**
 * All cases recorded from Django's own test suite: the engine must print the same output for the same templates and
 * context, character for character. The recording is not part of this repository; without it the tests are skipped.
 */
import { describe, expect, test } from 'vitest';
import { TemplateError } from '../../runtime/engine.ts';
import { decodeContext, engineOf, type Templates } from '../runtime/engine/shared.ts';
import { knownExceptions } from './exceptions.ts';
import { recordedCases } from './recording.ts';

interface RecordedCase {
  readonly id: string;
  readonly kind: 'render' | 'filter' | 'error';
  readonly templates: Templates;
  readonly entry: string;
  readonly context: object;
  readonly autoescape: boolean;
  readonly output?: string;
}

const cases = recordedCases<RecordedCase>();

describe.skipIf(cases.length === 0)(
  'cases recorded from Django (skipped where the recording is absent)',
  () => {
    for (const recorded of cases) {
      if (knownExceptions.has(recorded.id)) {
        test(`known to differ: ${recorded.id}`, async () => {
          expect(await outcomeOf(recorded)).not.toBe(expectedOf(recorded));
        });
      } else {
        test(recorded.id, async () => {
          expect(await outcomeOf(recorded)).toBe(expectedOf(recorded));
        });
      }
    }

    test('every exception names a recorded case', () => {
      const ids = new Set(cases.map(({ id }) => id));
      expect([...knownExceptions.keys()].filter((id) => !ids.has(id))).toEqual([]);
    });

    test('at least 98 % of all cases agree', () => {
      expect(knownExceptions.size / cases.length).toBeLessThan(0.02);
    });
  },
);

const syntaxError = 'a template error';

/** Renders a case in a new engine. The recording has only the classes of errors, so all errors are equal here. */
async function outcomeOf({ templates, entry, context, autoescape }: RecordedCase): Promise<string> {
  try {
    return await engineOf(templates, { autoescape }).render(entry, decodeContext(context));
  } catch (error) {
    if (error instanceof TemplateError) return syntaxError;
    throw error;
  }
}

function expectedOf({ kind, output }: RecordedCase): string | undefined {
  return kind === 'error' ? syntaxError : output;
}
