import { describe, expect, it } from 'vitest';
import { checkChangedComments } from './prose.ts';
import { findFaults } from './words.ts';

const keysOf = (path: string, text: string) => findFaults([{ path, text }]).map(({ key }) => key);

describe('the check of words refuses', () => {
  it.each([
    ['a lone participle as a type', 'server/a.ts', 'export interface Told {}', ['server/a.ts Told']],
    [
      'a noun without a verb as a function',
      'server/a.ts',
      'export function textOf() {}',
      ['server/a.ts textOf'],
    ],
    [
      'the same for an arrow function',
      'server/a.ts',
      'export const textOf = (a: A) => a;',
      ['server/a.ts textOf'],
    ],
    ['an empty first word', 'server/a.ts', 'export function keptRows() {}', ['server/a.ts keptRows']],
    [
      'a file with another name than its class',
      'server/a.ts',
      'export class Pool {}',
      ['server/a.ts (file)'],
    ],
    [
      'a README paragraph above 100 words',
      'server/README.md',
      'Some words here. '.repeat(34),
      ['server/README.md "Some words here. Some words" (paragraph)'],
    ],
    [
      'a README sentence above 35 words',
      'server/README.md',
      `${'word '.repeat(36)}.`,
      ['server/README.md "word word word word word" (sentence)'],
    ],
  ])('%s', (_name, path, text, keys) => {
    expect(keysOf(path, text)).toEqual(keys);
  });

  it('one name for two types of a top-level folder', () => {
    const files = ['server/a.ts', 'server/b.ts', 'runtime/c.ts'].map((path) => ({
      path,
      text: 'export interface Row {}',
    }));
    expect(findFaults(files).map(({ key }) => key)).toEqual([
      'server/a.ts Row (twice)',
      'server/b.ts Row (twice)',
    ]);
  });
});

describe('the check of words allows', () => {
  it.each([
    [
      'nouns and verbs',
      'server/pool.ts',
      'export class Pool {}\nexport function findPool() {}\nexport type Row = 1;',
    ],
    ['what is not exported', 'server/a.ts', 'interface Told {}\nfunction textOf() {}'],
    ['the usual names of files', 'server/service.ts', 'export class Pages {}'],
    ['tests', 'test/a.ts', 'export function textOf() {}'],
    [
      'code and tables in a README',
      'server/README.md',
      `|${' word'.repeat(200)}|\n\n\`\`\`\n${'word '.repeat(200)}\n\`\`\``,
    ],
  ])('%s', (_name, path, text) => {
    expect(keysOf(path, text)).toEqual([]);
  });
});

it('warns of long sentences in changed comments only', () => {
  const long = 'word '.repeat(36);
  expect(checkChangedComments(`+/** ${long}. */\n+const a = 1;\n`)).toHaveLength(1);
  expect(checkChangedComments(`-/** ${long}. */\n+/** Short. */\n`)).toEqual([]);
});
