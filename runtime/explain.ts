/**
 * `npm run --silent explain -- <template text or file> [folder of snippets]`: what the compiler makes of a template:
 * tree, facts, findings and generated code. Snippets are files `<name>.html` below the folder.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from '../compiler/analyse.ts';
import { check } from '../compiler/check.ts';
import { emitUnit } from '../compiler/emit/index.ts';
import { plainVariant } from '../compiler/link.ts';
import { reachOf } from '../compiler/reach.ts';
import { TemplateError } from '../grammar/errors.ts';
import { parse } from '../grammar/parse.ts';
import { limits } from './engine/state.ts';
import { filters } from './filters/index.ts';
import { pageGlobals, templateFunctions } from './functions/index.ts';

const options = {
  filters,
  functions: templateFunctions,
  globals: new Set(pageGlobals),
  maxOutputLength: limits.outputLength,
};

function main([input, folder = '.']: readonly string[]): void {
  if (input === undefined) {
    print('usage: npm run --silent explain -- <template text or file> [folder of snippets]');
    process.exitCode = 1;
    return;
  }
  try {
    explain(existsSync(input) ? readFileSync(input, 'utf8') : input, folder);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    print(error.message);
    process.exitCode = 1;
  }
}

function explain(source: string, folder: string): void {
  const template = parse(source, 'template');
  section('Tree', JSON.stringify(template.body, withoutSpans, 2));
  const facts = analyse(template);
  section('Facts', JSON.stringify(facts, null, 2));
  const findings = check(template, facts, options);
  if (findings.length > 0) {
    section('Findings', findings.map(({ message }) => message).join('\n'));
    return;
  }
  const factsOf = (name: string) => {
    const path = join(folder, `${name}.html`);
    return existsSync(path) ? analyse(parse(readFileSync(path, 'utf8'), name)) : undefined;
  };
  const reads = (name: string) => {
    const found = factsOf(name);
    return found && reachOf(found, factsOf, options, new Map()).reads;
  };
  const macroParams = (name: string, macro: string) =>
    factsOf(name)
      ?.macros.find((candidate) => candidate.name === macro)
      ?.params.map((param) => param.name);
  const { async } = reachOf(facts, factsOf, options, new Map());
  const unit = emitUnit({
    template,
    facts,
    options,
    surroundings: { reads, macroParams },
    variant: plainVariant(async),
    sites: [],
    named: false,
  });
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

main(process.argv.slice(2));
