/**
 * One folder per behaviour, in the folder of its construct: `input.html`, `context.json` (optional), `templates/<name>.html` (optional), and
 * `output.html` or `error.txt`. Files end in one newline, which is not part of the text.
 *
 * Every case is rendered in several ways that must not differ. With UPDATE_FIXTURES=1 in the environment the
 * expectations are rewritten from what the first way gives.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Engine, EngineOptions, TemplateFunction } from '../../../runtime/engine.ts';
import { fixtureCases, readTemplates, readText } from '../../support/fixtures.ts';
import { type Context, decodeContext, engineOf, type Templates, temporaryFolder } from './shared.ts';

const fixtureFolder = join(import.meta.dirname, 'fixtures');
const update = process.env['UPDATE_FIXTURES'] === '1';

interface Case {
  readonly input: string;
  readonly context: Context;
  readonly templates: Templates;
}

/** The output, or `error: ` and the message. */
type Outcome = string;

const functions = new Map<string, TemplateFunction>([
  ['echo', { call: (_host, args, named) => ({ args, named }) }],
  ['later', { async: true, call: async (_host, [value]) => value }],
]);
const options: Partial<EngineOptions> = { functions, globals: ['site'] };

describe.each(fixtureCases(fixtureFolder))('%s', (name) => {
  const fixture = readCase(name);

  test('rendered by name', async () => {
    const outcome = await outcomeOf(fixture, (engine) => engine.render('input', fixture.context));
    if (update) writeExpected(name, outcome);
    expect(outcome).toBe(readExpected(name));
  });

  test.each(Object.entries(ways))('%s', async (_, render) => {
    expect(await render(fixture)).toBe(readExpected(name));
  });

  test.each(Object.entries(includedWays))('%s', async (_, render) => {
    expect(withoutChain(await render(fixture))).toBe(withoutChain(readExpected(name)));
  });

  test('from the disk cache, without parsing or emitting again', async () => {
    const cacheDir = temporaryFolder();
    await outcomeOf(fixture, (engine) => engine.render('input', fixture.context), { cacheDir });
    // Files are written when nobody waits for them any more.
    await nextTurn();
    const second = engineOf(templatesOf(fixture), { ...options, cacheDir });
    const outcome = await outcomeBy(() => second.render('input', fixture.context));
    expect(outcome).toBe(readExpected(name));
    if (!outcome.startsWith('error: ')) expect(second.counts).toMatchObject({ parsed: 0, emitted: 0 });
  });
});

const ways: Readonly<Record<string, (fixture: Case) => Promise<Outcome>>> = {
  'as a text without a name': (fixture) =>
    outcomeOf(fixture, (engine) => engine.renderSource(fixture.input, 'input', fixture.context)),

  'a second time by the same engine': (fixture) =>
    outcomeOf(fixture, async (engine) => {
      await outcomeBy(() => engine.render('input', fixture.context));
      return engine.render('input', fixture.context);
    }),

  'as asynchronous functions': (fixture) =>
    outcomeOf({ ...fixture, input: `${fixture.input}{{ later("") }}` }, (engine) =>
      engine.render('input', fixture.context),
    ),
};

/** The same, but an error names one template more that led to it. */
const includedWays: typeof ways = {
  'included by another template': (fixture) =>
    outcomeOf(fixture, (engine) => engine.renderSource('{% include "input" %}', 'outer', fixture.context)),

  'included under a name known only while rendering': (fixture) =>
    outcomeOf(fixture, (engine) => engine.renderSource('{% include ["input"] %}', 'outer', fixture.context)),
};

function withoutChain(outcome: Outcome): Outcome {
  return outcome.replace(/ \(included from [^()]*\)$/, '');
}

function outcomeOf(
  fixture: Case,
  render: (engine: Engine) => string | Promise<string>,
  more: Partial<EngineOptions> = {},
): Promise<Outcome> {
  return outcomeBy(() => render(engineOf(templatesOf(fixture), { ...options, ...more })));
}

async function outcomeBy(render: () => string | Promise<string>): Promise<Outcome> {
  try {
    return await render();
  } catch (error) {
    return `error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function templatesOf({ input, templates }: Case): Templates {
  return { ...templates, input };
}

// ---------------------------------------------------------------------------------------------- files

function readCase(name: string): Case {
  const folder = join(fixtureFolder, name);
  const context = join(folder, 'context.json');
  return {
    input: readText(join(folder, 'input.html')),
    context: existsSync(context) ? decodeContext(JSON.parse(readFileSync(context, 'utf8'))) : {},
    templates: readTemplates(join(folder, 'templates')),
  };
}

function readExpected(name: string): Outcome {
  const error = join(fixtureFolder, name, 'error.txt');
  return existsSync(error) ? `error: ${readText(error)}` : readText(join(fixtureFolder, name, 'output.html'));
}

function writeExpected(name: string, outcome: Outcome): void {
  const failed = outcome.startsWith('error: ');
  rmSync(join(fixtureFolder, name, failed ? 'output.html' : 'error.txt'), { force: true });
  const file = join(fixtureFolder, name, failed ? 'error.txt' : 'output.html');
  writeFileSync(file, `${failed ? outcome.slice('error: '.length) : outcome}\n`);
}
