/**
 * Every case recorded from Django's own test suite, through the engine: the same templates and context must give
 * the same output, character for character. The recording is not part of this repository; where it is absent there
 * is nothing to compare and this test only says so.
 */
import { describe, expect, test } from 'vitest';
import { TemplateError } from '../../runtime/engine.ts';
import { decodeContext, engineOf, type Templates } from '../runtime/engine/shared.ts';
import { EXCEPTIONS } from './exceptions.ts';
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
      if (EXCEPTIONS.has(recorded.id)) {
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
      expect([...EXCEPTIONS.keys()].filter((id) => !ids.has(id))).toEqual([]);
    });

    test('at least 98 % of all cases agree', () => {
      expect(EXCEPTIONS.size / cases.length).toBeLessThan(0.02);
    });
  },
);

const SYNTAX_ERROR = 'a template error';

/** A fresh engine for each case; Django calls a mistake in a template by its class only, so that is what counts. */
async function outcomeOf({ templates, entry, context, autoescape }: RecordedCase): Promise<string> {
  try {
    return await engineOf(templates, { autoescape }).render(entry, decodeContext(context));
  } catch (error) {
    if (error instanceof TemplateError) return SYNTAX_ERROR;
    throw error;
  }
}

function expectedOf({ kind, output }: RecordedCase): string | undefined {
  return kind === 'error' ? SYNTAX_ERROR : output;
}
