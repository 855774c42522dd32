/** Properties of every template: it compiles to valid code, and all ways to run it have the same result. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Engine, type EngineOptions, TemplateError, type TemplateFunction } from '../../runtime/engine.ts';
import { brokenTemplate, validTemplate } from '../grammar/arbitrary.ts';

const templates = new Map([
  [
    'layout',
    '<{% for item in b %}{% block b0 %}{{ item }}{% endblock %}{% endfor %}{% with r=1 %}{% block b1 %}{% endblock %}{% endwith %}>',
  ],
  ['part', '[{{ a }}{{ item }}{% if forloop %}{{ forloop.counter }}{% endif %}]'],
  [
    'card',
    '({{ v }}{% slot %}default{% endslot %}{% if slots.side %}{% slot side %}{% endslot %}{% endif %})',
  ],
]);

const later: TemplateFunction = { async: true, call: async (_host, [value]) => value };
const functions = new Map([['later', later]]);

/** Data of several kinds, with the names that random templates use. */
const context = {
  a: '<a>',
  b: [1, 'two', { a: 3 }],
  item: { a: null, b: 'x' },
  größe: 1.5,
  o: 'o',
  if2: true,
};

test('a random template renders, or fails by its own mistake', () => {
  fc.assert(
    fc.property(validTemplate, (source) => {
      expect(mishapOf(outcomeOf(source))).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
});

test('a broken template renders, or fails by its own mistake', () => {
  fc.assert(
    fc.property(brokenTemplate, (source) => {
      expect(mishapOf(outcomeOf(source))).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
});

test('asynchronous rendering has the same result as synchronous rendering', async () => {
  await fc.assert(
    fc.asyncProperty(validTemplate, async (source) => {
      const expected = outcomeOf(source);
      const outcome = await outcomeOfAsync(`${source}{{ later("") }}`);
      expect(textOf(outcome)).toBe(textOf(expected));
    }),
    { numRuns: 300 },
  );
});

test('an included template has the same result as by itself', () => {
  fc.assert(
    fc.property(validTemplate, (source) => {
      const included = outcomeOf('{% include "source" %}', { source });
      expect(textOf(included)).toBe(textOf(outcomeOf(source)));
    }),
    { numRuns: 300 },
  );
});

test('a template included by a computed name has the same result', () => {
  fc.assert(
    fc.property(validTemplate, (source) => {
      const included = outcomeOf('{% include "SOURCE"|lower %}', { source });
      expect(textOf(included)).toBe(textOf(outcomeOf(source)));
    }),
    { numRuns: 300 },
  );
});

test('data adds no markup to a template without markup', () => {
  const hostile = {
    a: '<',
    b: ['<', { '<': '<' }],
    item: { a: '<', b: ['<'] },
    größe: '<',
    o: '<',
    if2: '<',
  };
  fc.assert(
    fc.property(
      validTemplate.filter((source) => !/<|safe|autoescape off|layout/.test(source)),
      (source) => {
        const outcome = outcomeOf(source, {}, hostile);
        if (typeof outcome === 'string') expect(outcome).not.toContain('<');
      },
    ),
    { numRuns: 1_000 },
  );
});

type Outcome = string | TemplateError;

function outcomeOf(
  source: string,
  more: Readonly<Record<string, string>> = {},
  data: Readonly<Record<string, unknown>> = context,
): Outcome {
  try {
    const output = engineOf(more).renderSource(source, 'page', data);
    if (typeof output === 'string') return output;
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('the template is asynchronous');
}

async function outcomeOfAsync(source: string): Promise<Outcome> {
  try {
    return await engineOf({}, { functions }).renderSource(source, 'page', context);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

function engineOf(more: Readonly<Record<string, string>>, options: Partial<EngineOptions> = {}) {
  return new Engine({
    load: (name) => (Object.hasOwn(more, name) ? more[name] : templates.get(name)),
    now: () => new Date(0),
    timeZone: 'UTC',
    ...options,
  });
}

/** An error that shows a mistake of the compiler and not of the template; undefined for other outcomes. */
function mishapOf(outcome: Outcome): unknown {
  if (typeof outcome === 'string') return undefined;
  const { cause } = outcome;
  const names = ['SyntaxError', 'ReferenceError', 'TypeError', 'RangeError', 'Error'];
  return cause instanceof Error && names.includes(cause.name) && cause.constructor.name === cause.name
    ? cause
    : undefined;
}

/** The output, or the reason of the error without its place, which differs between a page and an included template. */
function textOf(outcome: Outcome): string {
  return typeof outcome === 'string' ? outcome : `error: ${outcome.reason}`;
}
