/**
 * The whole generated code of typical templates, so that a change of it is read before it is accepted. Each case is a
 * folder with `input.html`, `generated.js` (its list of helpers is shortened) and the `templates/` that it needs. With
 * UPDATE_FIXTURES=1 in the environment the test writes `generated.js`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../compiler/analyse.ts';
import { emitUnit, type UnitCode } from '../../compiler/emit/index.ts';
import type { BlockOutlet, TemplateLookup } from '../../compiler/emit/variant.ts';
import type { Facts } from '../../compiler/facts.ts';
import { plainVariant } from '../../compiler/link/variants.ts';
import type { CompilerOptions } from '../../compiler/options.ts';
import { computeReach } from '../../compiler/transitive-facts.ts';
import type { Template } from '../../grammar/ast.ts';
import { parse } from '../../grammar/parse.ts';
import { filters } from '../../runtime/filters/index.ts';
import { fixtureCases } from '../support/fixtures.ts';

const fixtureFolder = join(import.meta.dirname, 'fixtures');

const options: CompilerOptions = {
  filters,
  functions: new Map([
    ['children', {}],
    ['item', { lasting: true }],
    ['data', { async: true }],
  ]),
  globals: new Set(['page', 'outlet']),
  maxOutputLength: 20 * 2 ** 20,
};

describe.each(fixtureCases(fixtureFolder))('%s', (name) => {
  const folder = join(fixtureFolder, name);
  const code = generate(readText(join(folder, 'input.html')), readTemplates(join(folder, 'templates')));

  test('compiles to the accepted code', () => {
    const path = join(folder, 'generated.js');
    const shown = code.replace(
      /^\(function \(cells, self(?:, \w+)+\)/,
      '(function (cells, self, ...helpers)',
    );
    if (process.env['UPDATE_FIXTURES'] === '1') writeFileSync(path, `${shown}\n`);
    expect(shown).toBe(readText(path));
  });

  test('compiles to valid JavaScript', () => {
    expect(() => new Script(code)).not.toThrow();
  });
});

test('texts beside a choice of many texts do not multiply', () => {
  const branches = Array.from(
    { length: 50 },
    (_, index) => `{% ${index === 0 ? 'if' : 'elif'} a${index} %}x`,
  );
  const source = `${branches.join('')}{% endif %}${'y{# #}'.repeat(2_000)}`;
  expect(generate(source, new Map()).length).toBeLessThan(source.length);
});

/** The code of a template. Its blocks are compiled for the places at which its layout outputs them. */
function generate(source: string, templates: ReadonlyMap<string, string>): string {
  const template = parse(source, 'input');
  const layout = analyse(template).dependencies.find(({ kind }) => kind === 'extends')?.name;
  const layoutSource = templates.get(layout ?? '');
  const outlets =
    layoutSource === undefined ? [] : emit(parse(layoutSource, 'layout'), templates, []).ownOutlets;
  return emit(template, templates, outlets).code;
}

function emit(
  template: Template,
  templates: ReadonlyMap<string, string>,
  outlets: readonly BlockOutlet[],
): UnitCode {
  const facts = analyse(template);
  const factsOf = (name: string): Facts | undefined => {
    const text = templates.get(name);
    return text === undefined ? undefined : analyse(parse(text, name));
  };
  const surroundings: TemplateLookup = {
    listedSlots: (name) => factsOf(name)?.listedSlots ?? [],
    showsText: (name) => factsOf(name)?.showsText ?? false,
    reads(name) {
      const found = factsOf(name);
      return found && computeReach(found, factsOf, options, new Map()).reads;
    },
    rebinds: (name) => {
      const found = factsOf(name);
      return found === undefined ? new Set() : computeReach(found, factsOf, options, new Map()).rebinds;
    },
    macroParams: (name, macro) =>
      factsOf(name)
        ?.macros.find((candidate) => candidate.name === macro)
        ?.params.map((param) => param.name),
  };
  const variant = plainVariant(computeReach(facts, factsOf, options, new Map()).async);
  return emitUnit({ template, facts, options, surroundings, variant, outlets, named: true });
}

function readTemplates(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  return new Map(
    readdirSync(folder).map((file) => [file.replace(/\.html$/, ''), readText(join(folder, file))]),
  );
}

function readText(path: string): string {
  return readFileSync(path, 'utf8').replace(/\n$/, '');
}
