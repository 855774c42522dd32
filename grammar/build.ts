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
 * Moves everything out of `peg$parse` but the run itself: its hundreds of functions and constants would be made
 * anew for each text, which takes longer than parsing a small template. The state of a run is then in variables
 * of the module. One run ends before the next begins: no action of the grammar parses.
 */
function withOneSetOfFunctions(parser: string): string {
  const start = parser.indexOf('function peg$parse(');
  const end = parser.indexOf('\n}\n', start);
  const moved: string[] = [];
  const state: string[] = [];
  const run = parser
    .slice(start, end)
    .replace('(input, options) {', '(text, given) {\n  input = text;\n  options = given;')
    .replace(movable, (part) => {
      moved.push(part);
      return '';
    })
    .replace(/^ {2}(?:let|const) (peg\$(?!result|success|startRule)\w+)(?= = )/gm, (_, name: string) => {
      state.push(name);
      return `  ${name}`;
    });
  if (start < 0 || end < 0 || state.length !== 7 || moved.length < 100 || !moved.some(isSpan))
    throw new Error('The parser that Peggy makes looks different by now');
  // `var`, because V8 checks at every use of a module's `let` whether it has a value yet.
  const variables = `var ${['input', 'options', ...state].join(', ')};\n`;
  return parser.slice(0, start) + variables + moved.join('') + run + parser.slice(end);
}

/** What `peg$parse` has within itself: constants, functions on one line or several, and the helper of the grammar. */
const movable =
  /^ {2}const peg\$(?:[cre]\d+|FAILED) = .*;\n|^ {2}function (?!peg\$throw)[\w$]+\(.*\) \{.*\}\n|^ {2}function (?!peg\$throw)[\w$]+\([\s\S]*?^ {2}\}\n|^const span = .*\n/gm;

function isSpan(part: string): boolean {
  return part.startsWith('const span');
}

/** Compares in place: `substr` makes a text for each alternative that is tried. Nodes get their span directly, too. */
function withoutCopies(parser: string): string {
  return parser
    .replace(/input\.substr\(peg\$currPos, \d+\) === (peg\$c\d+)/g, 'input.startsWith($1, peg$currPos)')
    .replaceAll('...span()', 'start: peg$savedPos, end: peg$currPos');
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
    `// Generated from grammar/*.peggy by grammar/build.ts. Do not edit.\n${withoutCopies(withOneSetOfFunctions(parser))}\nexport { peg$SyntaxError as GrammarError };\n`,
  );
}
