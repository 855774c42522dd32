/**
 * `npm run --silent explain -- <template> [--data <dir>] [--snippets <folder>]`
 *
 * Prints the tree, facts, findings and generated code of a template.
 *
 * The template is the path of a page (`/visit`, of the oldest website) or the name of a snippet in the data
 * directory, else a file, else the text itself. Snippets come from the data directory, or are files
 * `<name>.html` in the folder.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CompilerOptions, compileTemplate, Linker } from '../compiler/index.ts';
import { TemplateError } from '../grammar/errors.ts';
import type { ContentReader } from './content/reader.ts';
import { openSqliteContent } from './content/sqlite.ts';
import { renderLimits } from './engine/state.ts';
import { filters } from './filters/index.ts';
import { pageGlobals, templateFunctions } from './functions/index.ts';

const usage =
  'usage: npm run --silent explain -- <page path, snippet, file or text> [--data <dir>] [--snippets <folder>]';

const options: CompilerOptions = {
  filters,
  functions: templateFunctions,
  globals: new Set(pageGlobals),
  maxOutputLength: renderLimits.outputLength,
};

interface Subject {
  readonly name: string;
  readonly source: string;
  readonly named: boolean;
  readonly load: (name: string) => string | undefined;
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { data: { type: 'string', default: './data' }, snippets: { type: 'string', default: '.' } },
  });
  const [input] = positionals;
  if (input === undefined) {
    print(usage);
    process.exitCode = 1;
    return;
  }
  try {
    explain(findSubject(input, values.data, values.snippets));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    print(error.message);
    process.exitCode = 1;
  }
}

function findSubject(input: string, dataDir: string, folder: string): Subject {
  const database = join(dataDir, 'content.db');
  const reader = existsSync(database) ? openSqliteContent(database) : undefined;
  const load = (name: string) => reader?.snippet(name)?.content ?? readFile(join(folder, `${name}.html`));
  const page = input.startsWith('/') ? pageSource(reader, input) : undefined;
  if (page !== undefined) return { name: input, source: page, named: false, load };
  const snippet = load(input);
  if (snippet !== undefined) return { name: input, source: snippet, named: true, load };
  return { name: 'template', source: readFile(input) ?? input, named: false, load };
}

function pageSource(reader: ContentReader | undefined, path: string): string | undefined {
  const [site] = reader?.sites() ?? [];
  return site && reader?.pageByPath(site.id, path)?.html;
}

function readFile(path: string): string | undefined {
  return existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
}

function explain({ load, ...text }: Subject): void {
  const linker = new Linker({
    ...options,
    load,
    autoescape: true,
    maxBytes: 64 * 2 ** 20,
    helpers: undefined,
    onLink: () => {},
  });
  const world = { hasSnippet: (snippet: string) => load(snippet) !== undefined };
  const { template, facts, mistakes, findings, reach, emit } = compileTemplate(text, options, world, linker);
  section('Tree', JSON.stringify(template.body, withoutSpans, 2));
  section('Facts', JSON.stringify(facts, null, 2));
  const problems = [...mistakes, ...findings.map(({ error }) => error)];
  if (problems.length > 0) section('Findings', problems.map(({ message }) => message).join('\n'));
  if (mistakes.length > 0) return;
  const reads = reach.reads === 'all' ? reach.reads : [...reach.reads].sort();
  section('Together with what it reaches', JSON.stringify({ ...reach, reads }, null, 2));
  const unit = emit();
  section('References', JSON.stringify(unit.references, null, 2));
  section('JavaScript', unit.code);
}

function withoutSpans(key: string, value: unknown): unknown {
  return key === 'start' || key === 'end' || key === 'nameStart' ? undefined : value;
}

function section(title: string, text: string): void {
  print(`# ${title}\n\n${text}\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

// The program that reads the output may close it early, as `| head` does.
process.stdout.on('error', () => process.exit());
main();
