import { RE2JS } from 're2js';
import Type from 'typebox';
import { formatValue, parsePropertyPath, valueAt } from '../message/placeholders.ts';
import { startOfText } from '../message/start-of-text.ts';
import { defineNode } from './node-type.ts';
import { shortText } from './settings.ts';

const operators = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'contains',
  'regex',
  'true',
  'false',
  'empty',
  'nempty',
  'else',
] as const;
type Operator = (typeof operators)[number];

/** Sends to the outputs of the rules that hold: to the first, or with `all` to each of them. */
export const switchNode = defineNode({
  config: Type.Object({
    property: Type.Optional(shortText(1000)),
    rules: Type.Optional(
      Type.Array(Type.Object({ op: Type.Enum([...operators]), value: Type.Optional(Type.Unknown()) }), {
        maxItems: 100,
      }),
    ),
    all: Type.Optional(Type.Boolean()),
  }),
  outputsBy: 'rules',
  outputs: ({ rules = [] }) => rules.length,
  faults: ({ rules = [] }) =>
    rules.flatMap(({ op, value }, index) => {
      try {
        if (op === 'regex') RE2JS.compile(formatValue(value));
        return [];
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return [{ field: `rules.${index}.value`, reason: `is no regular expression: ${reason}` }];
      }
    }),
  build({ property = 'payload', rules = [], all = false }) {
    const path = parsePropertyPath(property);
    const tests = rules.map(({ op, value }) => testOf(op, value));
    return (message) => {
      const value = valueAt(message.fields, path);
      let matched = false;
      return tests.map((test) => {
        const holds = test === 'else' ? !matched : (all || !matched) && test(value);
        matched ||= holds;
        return holds ? [message] : [];
      });
    };
  },
});

type Test = (value: unknown) => boolean;

const tests: Readonly<
  Record<Exclude<Operator, 'regex' | 'else'>, (value: unknown, wanted: unknown) => boolean>
> = {
  eq: (value, wanted) => compare(value, wanted) === 0,
  neq: (value, wanted) => compare(value, wanted) !== 0,
  lt: (value, wanted) => compare(value, wanted) < 0,
  lte: (value, wanted) => compare(value, wanted) <= 0,
  gt: (value, wanted) => compare(value, wanted) > 0,
  gte: (value, wanted) => compare(value, wanted) >= 0,
  contains,
  true: (value) => value === true || value === 'true',
  false: (value) => value === false || value === 'false',
  empty: isEmpty,
  nempty: (value) => !isEmpty(value),
};

function testOf(op: Operator, wanted: unknown): Test | 'else' {
  if (op === 'else') return op;
  if (op !== 'regex') return (value) => tests[op](value, wanted);
  const expression = RE2JS.compile(formatValue(wanted));
  return (value) => {
    const text = startOfText(value, maxExpressionText + 1);
    if (text.length > maxExpressionText)
      throw new Error(`a regular expression is for texts of at most ${maxExpressionText} characters`);
    return expression.matcher(text).find();
  };
}

const maxExpressionText = 100_000;

/** As numbers if both are numeric, else as texts. */
function compare(left: unknown, right: unknown): number {
  const numbers = [numberOf(left), numberOf(right)] as const;
  if (numbers[0] !== undefined && numbers[1] !== undefined) return numbers[0] - numbers[1];
  // A character more than the setting has decides; the value may be long.
  const after = formatValue(right);
  const before = startOfText(left, after.length + 1);
  return before < after ? -1 : Number(before > after);
}

function numberOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A text has a part, a list an element, an object a name. */
function contains(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(value)) return value.some((element) => compare(element, wanted) === 0);
  if (typeof value === 'object' && value !== null) return Object.hasOwn(value, formatValue(wanted));
  return formatValue(value).includes(formatValue(wanted));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
