/**
 * Every finding about the templates of the engine's fixtures and of the cases recorded from Django, where each
 * `input` counts as a page whose only variables are those of its context. All are listed in `listed/`, so that a
 * finding that is not certain is seen. With UPDATE_FIXTURES=1 in the environment the lists are written anew; read
 * each new line before it is committed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SystemObjects } from '../../../compiler/index.ts';
import { Engine, type TemplateFunction } from '../../../runtime/engine.ts';
import { recordedCases } from '../../django/recording.ts';
import { fixtureCases, readTemplates, readText } from '../../support/fixtures.ts';

const nothing: TemplateFunction = { call: () => [] };
const functions = new Map([
  ['echo', nothing],
  ['later', nothing],
]);

interface Subject {
  readonly id: string;
  readonly templates: Readonly<Record<string, string>>;
  /** The template that is rendered by itself. */
  readonly entry: string;
  readonly context: object;
}

test('fixtures of the engine have the listed findings', () => {
  const root = join(import.meta.dirname, '../../runtime/engine/fixtures');
  const subjects = fixtureCases(root).map((id): Subject => {
    const context = join(root, id, 'context.json');
    return {
      id,
      templates: {
        ...readTemplates(join(root, id, 'templates')),
        input: readText(join(root, id, 'input.html')),
      },
      entry: 'input',
      context: existsSync(context) ? JSON.parse(readFileSync(context, 'utf8')) : {},
    };
  });
  compareWithList('fixtures.txt', subjects);
});

const recorded = recordedCases<Subject & { readonly kind: string }>().filter(({ kind }) => kind !== 'filter');

test.skipIf(recorded.length === 0)('cases recorded from Django have the listed findings', () => {
  compareWithList('django.txt', recorded);
});

function compareWithList(name: string, subjects: readonly Subject[]): void {
  const file = join(import.meta.dirname, 'listed', name);
  const lines = subjects.flatMap(findingsOf);
  if (process.env['UPDATE_FIXTURES'] === '1') writeFileSync(file, `${lines.join('\n')}\n`);
  expect(lines).toEqual(readFileSync(file, 'utf8').trimEnd().split('\n'));
}

/** One line for each finding, except those about places where escaping is not enough. */
function findingsOf({ id, templates, entry, context }: Subject): string[] {
  const engine = new Engine({ load: (name) => templates[name], functions });
  const variables = new Map(['site', ...Object.keys(context)].map((name) => [name, 'any'] as const));
  const system: SystemObjects = { variables, navFields: new Set() };
  return Object.entries(templates).flatMap(([name, source]) => {
    const world = {
      hasSnippet: (snippet: string) => snippet in templates,
      snippetNames: () => Object.keys(templates),
      system,
      isPage: name === entry,
    };
    return engine
      .inspect(source, name, world)
      .findings.filter(({ code }) => code !== 'template.unsafeContext')
      .map(({ code, error }) => `${id} ${code} ${error.message.replaceAll('\n', ' ')}`);
  });
}
