/** Every example on the page about templates prints the output on that page. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Engine } from '../../runtime/engine.ts';
import { filters } from '../../runtime/filters/index.ts';

const page = readFileSync(new URL('../../runtime/TEMPLATES.md', import.meta.url), 'utf8');

/** The content of all fenced parts with this word, and the rest of their first line. */
function fenced(word: string): readonly (readonly [title: string, content: string])[] {
  const pattern = new RegExp(`^\`\`\`${word}\\b *(.*)\\n([^]*?)\\n\`\`\`$`, 'gm');
  return [...page.matchAll(pattern)].map(([, title = '', content = '']) => [title, content]);
}

const snippets = new Map(fenced('html'));
const context: Readonly<Record<string, unknown>> = JSON.parse(fenced('json')[0]?.[1] ?? '');
const examples = fenced('examples').flatMap(([, lines]) =>
  lines.split('\n').map((line) => {
    const at = line.lastIndexOf(' =>');
    return [line.slice(0, at), line.slice(at + ' => '.length)] as const;
  }),
);

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(20);
  for (const [template] of examples) expect(template).not.toBe('');
});

test.each(examples)('%s', (template, output) => {
  const engine = new Engine({ load: (name) => snippets.get(name) });
  expect(engine.renderSource(template, 'page', context)).toBe(output);
});

test('the table of further filters names filters that exist', () => {
  const table = page.slice(page.indexOf('| filter |'), page.indexOf('```', page.indexOf('| filter |')));
  const named = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => [
    ...cell.matchAll(/`(\w+)/g),
  ]);
  expect(named.length).toBeGreaterThan(8);
  for (const [, name = ''] of named) expect([...filters.keys()]).toContain(name);
});
