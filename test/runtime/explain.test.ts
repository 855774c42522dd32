/** The command that explains a template. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as command from '../../runtime/explain/command.ts';
import { installInto } from './demo-content/database.ts';

const main = join(import.meta.dirname, '../../runtime/explain.ts');
const dir = mkdtempSync(join(tmpdir(), 'incipit-explain-'));

beforeAll(() => {
  installInto(join(dir, 'content.db'));
  writeFileSync(join(dir, 'greeting.html'), 'Hello {{ name }}');
});
afterAll(() => rmSync(dir, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function explain(...args: readonly string[]): Outcome {
  const written = { stdout: '', stderr: '' };
  const into = (stream: keyof typeof written) => ({
    write: (text: string) => {
      written[stream] += text;
    },
  });
  const code = command.explain(args, { stdout: into('stdout'), stderr: into('stderr') });
  return { code, ...written };
}

function titles({ stdout }: Outcome): string[] {
  return [...stdout.matchAll(/^# (.*)$/gm)].map(([, title = '']) => title);
}

const facts = ['Facts', 'Together with what it reaches'];
const code = ['References', 'JavaScript'];

describe('what is shown', () => {
  test.each([
    [[], ['Tree', ...facts, ...code, 'Findings']],
    [['--tree'], ['Tree', 'Findings']],
    [['-tree'], ['Tree', 'Findings']],
    [['--facts'], [...facts, 'Findings']],
    [['-code'], [...code, 'Findings']],
    [
      ['-code', '--tree'],
      ['Tree', ...code, 'Findings'],
    ],
  ])('with %j', (options, expected) => {
    const outcome = explain(...options, '<p>{{ name|upper }}</p>');
    expect(titles(outcome)).toEqual(expected);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
  });

  test('findings, with exit code 0 as long as the template can be rendered', () => {
    const { code: exit, stdout } = explain('-facts', '<p>{% include "nobody" %}</p>');
    expect(stdout).toMatch(/# Findings\n\ntemplate:1:4: there is no snippet "nobody"\n/);
    expect(exit).toBe(0);
  });

  test('that there are none', () => {
    expect(explain('-tree', '<p>').stdout).toMatch(/# Findings\n\nnone\n/);
  });

  test.each(['<p>{{ name|uper }}</p>', '{% if %}'])('%s, which cannot be rendered', (text) => {
    const outcome = explain(text);
    expect(outcome.code).toBe(1);
    expect(titles(outcome)).not.toContain('JavaScript');
    expect(outcome.stdout).toMatch(/# Findings\n\ntemplate:1:\d+: \w+/);
  });
});

describe('the template', () => {
  test.each([
    ['/visit', '"layout/section"'],
    ['layout/section', '"layout/base"'],
    ['greeting', '"Hello "'],
    [join(dir, 'greeting.html'), '"Hello "'],
  ])('%s is found', (name, part) => {
    const { code: exit, stdout } = explain('-data', dir, '-snippets', dir, '--tree', name);
    expect(stdout).toContain(part);
    expect(exit).toBe(0);
  });

  test('is a page, of which all fields are searched for what is wrong', () => {
    const db = new Database(join(dir, 'content.db'));
    db.prepare(
      `UPDATE pages SET head = '{% if %}', meta_title = '{% include "nobody" %}' WHERE path = '/about'`,
    ).run();
    db.close();
    const { code: exit, stdout } = explain('-data', dir, '-tree', '/about');
    const findings = stdout.slice(stdout.indexOf('# Findings'));
    expect(findings).toContain('\n/about (head):1:');
    expect(findings).toContain('\n/about (meta_title):1:1: there is no snippet "nobody"');
    expect(exit).toBe(1);
  });

  test('is text after two dashes', () => {
    expect(explain('-tree', '--', '-x {{ y }}').stdout).toContain('"-x "');
  });

  test('names assets that do not exist', () => {
    const { stdout } = explain('-data', dir, '-facts', '{{ asset_url(9999) }}');
    expect(stdout).toContain('# Findings\n\ntemplate:1:14: there is no asset 9999\n');
  });
});

describe('mistakes in the command line', () => {
  test.each([
    [['/vist'], 'there is no page or file /vist'],
    [['layout/sektion'], 'there is no snippet or file layout/sektion'],
    [[dir], `${dir} is a folder, not a template`],
    [['-data', './nowhere', '/visit'], 'there is no data directory ./nowhere'],
    [['--data', tmpdir(), '/visit'], `the folder ${tmpdir()} holds no content.db`],
    [['--snippets=./nowhere', '{{ x }}'], 'there is no folder ./nowhere'],
    [[], 'which template?'],
    [['{{', 'x', '}}'], 'put the text in quotes'],
    [['-cod', '{{ x }}'], "Unknown option '--cod'"],
    [['{{ x }}', '-data'], "Option '--data <value>' argument missing"],
  ])('%j', (args, message) => {
    const { code: exit, stdout, stderr } = explain(...args);
    expect(stderr).toMatch(/^explain: .*\n$/);
    expect(stderr).toContain(message);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
  });
});

test.each(['-help', '--help'])('%s lists the options', (option) => {
  const { code: exit, stdout } = explain(option);
  for (const name of ['-tree', '-facts', '-code', '-data', '-snippets'])
    expect(stdout).toContain(`  ${name} `);
  expect(exit).toBe(0);
});

test('the program writes to its streams and ends with the exit code', () => {
  const run = (text: string) => spawnSync(process.execPath, [main, '-code', text], { encoding: 'utf8' });
  expect(run('<p>{{ x }}</p>')).toMatchObject({ status: 0, stdout: expect.stringContaining('# JavaScript') });
  expect(run('nothing')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^explain: there is no snippet or file nothing/),
  });
});
