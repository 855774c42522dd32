/** Text to syntax tree: the grammar makes items, nest/ makes the tree, this file makes errors readable. */
import type { Expression, Template } from './ast.ts';
import { errorAt, type SourceText, TemplateError } from './errors.ts';
import { SyntaxFault } from './faults.ts';
import { foreignAt } from './foreign.ts';
import {
  GrammarError,
  type GrammarExpectation,
  type GrammarOptions,
  parse as parseGrammar,
} from './generated/parser.js';
import { knownTags } from './items.ts';
import { nestItems } from './nest/index.ts';
import { Scanner } from './scanner.ts';
import { asQuestion } from './suggest.ts';

/**
 * Parses a template.
 * @param source the template text
 * @param name the path of a page or the name of a snippet, as errors show it
 * @throws TemplateError
 */
export function parse(source: string, name: string): Template {
  const text = { name, source };
  const items = parseWithErrors(text, (options) =>
    parseGrammar(source, { startRule: 'Template', ...options }),
  );
  try {
    const { body, partials } = nestItems(items, text);
    return { name, source, body, partials };
  } catch (error) {
    throw readable(error, text);
  }
}

/** Parses a single expression, as it stands between `{{` and `}}`. For tests and `explain`. */
export function parseExpression(source: string, name = 'expression'): Expression {
  return parseWithErrors({ name, source }, (options) =>
    parseGrammar(source, { startRule: 'Expression', ...options }),
  );
}

type RunOptions = Omit<GrammarOptions, 'startRule'>;

/** Runs the parser. Only if the text is wrong, runs it a second time to collect the expected tokens. */
function parseWithErrors<Result>(text: SourceText, run: (options: RunOptions) => Result): Result {
  const { source, name } = text;
  try {
    return run({ scanner: new Scanner(source), knownTags, name, quick: true, peg$silentFails: 1 });
  } catch (error) {
    if (!(error instanceof GrammarError)) throw readable(error, text);
  }
  try {
    return run({ scanner: new Scanner(source), knownTags, name, quick: false, peg$silentFails: 0 });
  } catch (error) {
    throw readable(error, text);
  }
}

function readable(error: unknown, text: SourceText): TemplateError {
  if (error instanceof TemplateError) return error;
  if (error instanceof SyntaxFault) return errorAt(text, error.offset, error.message);
  if (error instanceof GrammarError) {
    const offset = error.location.start.offset;
    return errorAt(
      text,
      offset,
      `${describeFound(text.source, offset)}, ${describeExpected(error.expected ?? [])}${asQuestion(foreignAt(text.source, offset))}`,
    );
  }
  // Parsing recurses once per level of nesting, so a full stack is a mistake of the template.
  if (error instanceof RangeError) return errorAt(text, 0, 'the template is nested too deeply to be parsed');
  throw error;
}

function describeFound(source: string, offset: number): string {
  const quote = source[offset];
  if (quote === '"' || quote === "'")
    return `the string that begins with ${quote} is not closed or not wanted here`;
  if (offset >= source.length) return 'unexpected end of the template';
  if (source[offset] === '\n') return 'unexpected end of the line';
  const word = /^(?:[\w$]{1,40}|[}%]\}|.)/u.exec(source.slice(offset, offset + 41));
  return `unexpected "${word?.[0] ?? source[offset]}"`;
}

function describeExpected(expected: readonly GrammarExpectation[]): string {
  const names = new Set(expected.map(describeExpectation));
  names.delete('');
  const tokens = new Set(expected.map(({ text = '' }) => text).filter((text) => continuations.has(text)));
  if (tokens.size === 1) {
    names.delete('an operator');
    for (const token of tokens) names.add(`"${token}"`);
  }
  if (names.has('a number')) {
    for (const kind of ['a number', 'a string', 'a name', 'an operator']) names.delete(kind);
    names.add('a value');
  }
  if (names.size > 12) return 'expected the name of a tag';
  const list = [...names].sort();
  const last = list.pop();
  if (last === undefined) return 'expected nothing more here';
  return list.length === 0 ? `expected ${last}` : `expected ${list.join(', ')} or ${last}`;
}

/** Tokens that may begin or continue any expression. A list of all of them would hide the missing token. */
const continuations = new Set(['.', '[', '(', '{', '|', '~', 'if', 'and', 'or', 'not', 'is']);

function describeExpectation({ type, text = '', description = '' }: GrammarExpectation): string {
  if (type === 'end') return 'the end';
  if (type === 'other') return description === 'white space' ? '' : withArticle(description);
  if (type !== 'literal' || text.trim() === '') return '';
  return continuations.has(text) ? 'an operator' : `"${text}"`;
}

function withArticle(name: string): string {
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}
