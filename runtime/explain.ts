/**
 * `npm run --silent explain -- <template> [--data <dir>] [--snippets <folder>]`: what the compiler makes of a template:
 * tree, facts, findings, generated code.
 *
 * The template is the path of a page (`/visit`, of the oldest website) or the name of a snippet in the data directory,
 * else a file, else the text itself. Snippets come from the data directory, or are files `<name>.html` in the folder.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { analyse } from '../compiler/analyse.ts';
import { check } from '../compiler/check.ts';
import type { Surroundings } from '../compiler/emit/context.ts';
import { emitUnit } from '../compiler/emit/index.ts';
import { findProblems } from '../compiler/findings/index.ts';
import { plainVariant } from '../compiler/link.ts';
import { type FactsOf, reachOf } from '../compiler/reach.ts';
import { TemplateError } from '../grammar/errors.ts';
import { parse } from '../grammar/parse.ts';
import type { ContentReader } from './content.ts';
import { openSqliteContent } from './content-sqlite.ts';
import { limits } from './engine/state.ts';
import { filters } from './filters/index.ts';
import { pageGlobals, templateFunctions } from './functions/index.ts';

const usage =
  'usage: npm run --silent explain -- <page path, snippet, file or text> [--data <dir>] [--snippets <folder>]';

const options = {
  filters,
  functions: templateFunctions,
  globals: new Set(pageGlobals),
  maxOutputLength: limits.outputLength,
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

function explain({ name, source, named, load }: Subject): void {
  const template = parse(source, name);
  section('Tree', JSON.stringify(template.body, withoutSpans, 2));
  const facts = analyse(template);
  section('Facts', JSON.stringify(facts, null, 2));
  const mistakes = check(template, facts, options);
  const treeOf = (snippet: string) => {
    const text = load(snippet);
    return text === undefined ? undefined : parse(text, snippet);
  };
  const world = { hasSnippet: (snippet: string) => load(snippet) !== undefined };
  const problems = findProblems(template, facts, world, { ...options, treeOf });
  const findings = [...mistakes, ...problems.map(({ error }) => error)];
  if (findings.length > 0) section('Findings', findings.map(({ message }) => message).join('\n'));
  if (mistakes.length > 0) return;
  const factsOf: FactsOf = (snippet) => {
    const text = load(snippet);
    return text === undefined ? undefined : analyse(parse(text, snippet));
  };
  const { async, reads, rendersBlocks } = reachOf(facts, factsOf, options, new Map());
  const reach = { async, rendersBlocks, reads: reads === 'all' ? reads : [...reads].sort() };
  section('Together with what it reaches', JSON.stringify(reach, null, 2));
  const surroundings = surroundingsOf(factsOf);
  const unit = emitUnit({
    template,
    facts,
    options,
    surroundings,
    variant: plainVariant(async),
    sites: [],
    named,
  });
  section('References', JSON.stringify(unit.references, null, 2));
  section('JavaScript', unit.code);
}

function surroundingsOf(factsOf: FactsOf): Surroundings {
  return {
    reads(name) {
      const facts = factsOf(name);
      return facts && reachOf(facts, factsOf, options, new Map()).reads;
    },
    macroParams: (name, macro) =>
      factsOf(name)
        ?.macros.find((candidate) => candidate.name === macro)
        ?.params.map((param) => param.name),
  };
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

// The reader may have seen enough, as in `| head`.
process.stdout.on('error', () => process.exit());
main();
