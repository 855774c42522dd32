/** Functions for actions of the grammar: constructors of nodes, and rules that a grammar cannot express. */
import type { BinaryOperator, Binding, Call, Expression, Index, Member, Span, TemplateRef } from './ast.ts';
import { SyntaxFault } from './faults.ts';

export interface FilterStep extends Span {
  readonly name: string;
  readonly args: readonly Expression[];
}

export function chainFilters(input: Expression, steps: readonly FilterStep[]): Expression {
  let value = input;
  for (const { name, start: nameStart, args, end } of steps)
    value = { type: 'Filter', input: value, name, nameStart, args, start: input.start, end };
  return value;
}

type PostfixStep = Omit<Member, 'object'> | Omit<Index, 'object'> | Omit<Call, 'callee'>;

/** A value with its lookups and calls; each step spans from the beginning of the value. */
export function chainSteps(head: Expression, steps: readonly PostfixStep[]): Expression {
  const { start } = head;
  let value = head;
  for (const step of steps) {
    // Written out for the most frequent kind, because copies of objects of several kinds are slow.
    if (step.type === 'Member')
      value = { type: 'Member', key: step.key, start, end: step.end, object: value };
    else if (step.type === 'Call') value = { ...step, callee: value, start };
    else value = { ...step, object: value, start };
  }
  return value;
}

export function chainBinary(
  type: 'Binary' | 'Logical',
  head: Expression,
  tail: readonly (readonly [string, Expression])[],
): Expression {
  const { start } = head;
  let left = head;
  for (const [operator, right] of tail) {
    const { end } = right;
    left =
      type === 'Binary'
        ? { type, operator: operator as BinaryOperator, left, right, start, end }
        : { type, operator: operator === 'and' ? 'and' : 'or', left, right, start, end };
  }
  return left;
}

/** Words that are operators. They cannot be names of variables, but they can be keys after a dot. */
export const reservedWords: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'is']);

const constants = new Map<string, true | false | null>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
  ['null', null],
]);

export function constantOrName(name: string, { start, end }: Span): Expression {
  const value = constants.get(name);
  return value === undefined ? { type: 'Name', name, start, end } : { type: 'Literal', value, start, end };
}

/** Unescapes as Django does: a backslash escapes only the quote in use and another backslash. */
export function unescapeString(text: string, quote: string): string {
  return text.includes('\\') ? text.replaceAll(`\\${quote}`, quote).replaceAll('\\\\', '\\') : text;
}

type ArgumentItem = { readonly binding: Binding } | { readonly value: Expression };

export function splitArguments(list: readonly ArgumentItem[]): { args: Expression[]; named: Binding[] } {
  const args: Expression[] = [];
  const named: Binding[] = [];
  for (const item of list) {
    if ('binding' in item) named.push(item.binding);
    else if (named.length > 0) {
      throw new SyntaxFault('A positional argument cannot follow a named one', item.value.start);
    } else args.push(item.value);
  }
  return { args, named };
}

/** The name after `as`; the field is absent if there is none. */
export function asName(as: string | null): { readonly as?: string } {
  return as === null ? {} : { as };
}

/** `{% cycle name %}` with one plain name advances the cycle of that name. Any other form is a new cycle. */
export function cycleNode(values: readonly Expression[], as: string | null, silent: boolean) {
  const [only] = values;
  if (values.length === 1 && only?.type === 'Name' && as === null)
    return { type: 'CycleNext', name: only.name };
  return { type: 'Cycle', values, ...asName(as), silent };
}

const identifierPath = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$/;

/** A bare word as the name of a template. It may also be a variable if it is written like one. */
export function bareWord(word: string, span: Span): TemplateRef {
  if (!identifierPath.test(word)) return { kind: 'word', name: word, ...span };
  const [head = '', ...keys] = word.split('.');
  const lookup = keys.reduce<Expression>((object, key) => ({ type: 'Member', object, key, ...span }), {
    type: 'Name',
    name: head,
    ...span,
  });
  return { kind: 'word', name: word, lookup, ...span };
}

/** Output of `{% templatetag name %}`, by name. */
export const templateTags: ReadonlyMap<string, string> = new Map([
  ['openblock', '{%'],
  ['closeblock', '%}'],
  ['openvariable', '{{'],
  ['closevariable', '}}'],
  ['openbrace', '{'],
  ['closebrace', '}'],
  ['opencomment', '{#'],
  ['closecomment', '#}'],
]);

/** A name that no template can write. It cannot clash with a variable in the key of `{% regroup %}`. */
const entryName = 'regroup entry';

/** The key of `{% regroup list by a.b|filter %}`: its leftmost name becomes a field of the entry. */
export function keyOfEntry(key: Expression): { entry: string; key: Expression } {
  return { entry: entryName, key: ofEntry(key) };
}

function ofEntry(key: Expression): Expression {
  const { start, end } = key;
  switch (key.type) {
    case 'Name':
      return {
        type: 'Member',
        object: { type: 'Name', name: entryName, start, end },
        key: key.name,
        start,
        end,
      };
    case 'Literal':
      if (typeof key.value === 'number' && Number.isSafeInteger(key.value) && key.value >= 0)
        return ofEntry({ type: 'Name', name: String(key.value), start, end });
      break;
    case 'Member':
    case 'Index':
      return { ...key, object: ofEntry(key.object) };
    case 'Filter':
      return { ...key, input: ofEntry(key.input) };
    default:
  }
  throw new SyntaxFault('{% regroup %} needs the name of a field after "by"', start);
}
