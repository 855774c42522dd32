/**
 * Generates the parser from the grammar, unless the parser is newer than its sources.
 * Run by `npm run build`; `npm test` fails if the result is stale.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import peggy from 'peggy';

const folder = import.meta.dirname;
const sources = ['template.peggy', 'tags.peggy', 'expression.peggy'].map((name) => join(folder, name));
const target = join(folder, 'generated', 'parser.js');

const declarations = `// Generated from grammar/*.peggy by grammar/build.ts. Do not edit.
import type { Expression } from '../ast.ts';
import type { Item } from '../items.ts';
import type { Scanner } from '../scanner.ts';

export interface GrammarExpectation {
  readonly type: 'literal' | 'class' | 'any' | 'end' | 'other';
  readonly text?: string;
  readonly description?: string;
}

export class GrammarError extends Error {
  readonly location: { readonly start: { readonly offset: number } };
  readonly expected: readonly GrammarExpectation[] | null;
}

export interface GrammarOptions<Rule extends string = string> {
  readonly startRule: Rule;
  readonly scanner: Scanner;
  readonly knownTags: ReadonlySet<string>;
  /** Of the template, from which relative names of others start. */
  readonly name: string;
  /** Take the short ways that lead to the same tree. */
  readonly quick: boolean;
  /** 1 if nobody asks what was expected where a text is wrong. */
  readonly peg$silentFails: 0 | 1;
}

export function parse(source: string, options: GrammarOptions<'Template'>): readonly Item[];
export function parse(source: string, options: GrammarOptions<'Expression'>): Expression;
`;

function isFresh(): boolean {
  try {
    const made = statSync(target).mtimeMs;
    return [...sources, import.meta.filename].every((path) => statSync(path).mtimeMs <= made);
  } catch {
    return false;
  }
}

/**
 * Moves constants and the functions that make expectations out of `peg$parse`. None of them depends on the
 * text, and making them takes longer than parsing a small template.
 */
function withConstantsOutside(parser: string): string {
  const start = parser.indexOf('function peg$parse(');
  const moved: string[] = [];
  const inside = parser
    .slice(start)
    .replace(
      /^ {2}(?:const peg\$[cre]\d+ = .*;|function peg\$\w+Expectation\([\s\S]*?^ {2}\})\n/gm,
      (part) => {
        moved.push(part);
        return '';
      },
    );
  if (start < 0 || moved.length === 0) throw new Error('The parser that Peggy makes looks different by now');
  return parser.slice(0, start) + moved.join('') + inside;
}

if (!isFresh()) {
  const parser = peggy.generate(
    sources.map((path) => ({ source: path, text: readFileSync(path, 'utf8') })),
    {
      output: 'source',
      format: 'es',
      allowedStartRules: ['Template', 'Expression'],
      grammarSource: 'grammar',
    },
  );
  mkdirSync(join(folder, 'generated'), { recursive: true });
  writeFileSync(join(folder, 'generated', 'parser.d.ts'), declarations);
  writeFileSync(
    target,
    `// Generated from grammar/*.peggy by grammar/build.ts. Do not edit.\n${withConstantsOutside(parser)}\nexport { peg$SyntaxError as GrammarError };\n`,
  );
}
