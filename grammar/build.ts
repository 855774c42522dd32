/**
 * Makes the parser from the grammar, unless it is newer than its sources.
 * Run by `npm run build`; `npm test` fails if the result is stale.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import peggy from 'peggy';

const folder = import.meta.dirname;
const sources = ['template.peggy', 'tags.peggy', 'expression.peggy'].map((name) => join(folder, name));
const target = join(folder, 'generated', 'parser.js');

const declarations = `// Generated from grammar/*.peggy by grammar/build.ts. Do not edit.
import type { LineScanner } from '../actions.ts';
import type { Expression } from '../ast.ts';
import type { Item } from '../items.ts';

export interface GrammarExpectation {
  readonly type: 'literal' | 'class' | 'any' | 'end' | 'other';
  readonly text?: string;
  readonly description?: string;
}

export class GrammarError extends Error {
  readonly location: { readonly start: { readonly offset: number } };
  readonly expected: readonly GrammarExpectation[] | null;
}

interface Options<Rule extends string> {
  readonly startRule: Rule;
  readonly lines: LineScanner;
  readonly knownTags: ReadonlySet<string>;
}

export function parse(source: string, options: Options<'Template'>): readonly Item[];
export function parse(source: string, options: Options<'Expression'>): Expression;
`;

function isFresh(): boolean {
  try {
    const made = statSync(target).mtimeMs;
    return [...sources, import.meta.filename].every((path) => statSync(path).mtimeMs <= made);
  } catch {
    return false;
  }
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
    `// Generated from grammar/*.peggy by grammar/build.ts. Do not edit.\n${parser}\nexport { peg$SyntaxError as GrammarError };\n`,
  );
}
