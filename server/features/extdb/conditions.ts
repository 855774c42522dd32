import { invalid } from '../../base/errors.ts';

/** The operators of rules (Data, Automation and Operations, the `extdb` node). */
export const operators = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'in',
  'not_in',
  'is_null',
  'is_not_null',
] as const;
export type Operator = (typeof operators)[number];

export type Value = string | number | boolean;

/**
 * A condition on one column. `is_null` and `is_not_null` have no value, `in` and `not_in` a list, all others one
 * value that is never null: `eq` null is `is_null`.
 */
export type Comparison =
  | NullTest<'is_null'>
  | NullTest<'is_not_null'>
  | ListTest<'in'>
  | ListTest<'not_in'>
  | { readonly col: string; readonly op: PlainOperator; readonly val: Value };

interface NullTest<Op> {
  readonly col: string;
  readonly op: Op;
}

interface ListTest<Op> extends NullTest<Op> {
  readonly val: readonly Value[];
}

export type PlainOperator = Exclude<Operator, 'is_null' | 'is_not_null' | 'in' | 'not_in'>;

/** A tree of conditions; a group has at least one. */
export type Condition =
  | Comparison
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] };

const maxDepth = 10;
const maxComparisons = 500;
const maxListValues = 1000;

/**
 * The filter tree of `where`, as JSON text or as a value. Undefined for an empty one, which lets all rows through.
 *
 * @throws ApiError `common.invalid`
 */
export function parseWhere(where: unknown): Condition | undefined {
  const tree = typeof where === 'string' ? parsedJson(where) : where;
  if (tree === undefined || tree === null) return undefined;
  if (isRecord(tree) && Object.keys(tree).length === 0) return undefined;
  const count = { comparisons: 0 };
  return conditionOf(tree, 'where', 1, count);
}

/**
 * The condition of a list of rules. Rules without a column are dropped, and rules with an empty value unless
 * `keepEmpty`: a form field that was left empty then filters by nothing.
 *
 * @throws ApiError `common.invalid`
 */
export function parseRules(
  rules: unknown,
  { match, keepEmpty }: { readonly match: 'and' | 'or'; readonly keepEmpty: boolean },
): Condition | undefined {
  if (rules === undefined || rules === null) return undefined;
  if (!Array.isArray(rules)) throw invalid('rules', 'must be a list');
  if (rules.length > maxComparisons) throw invalid('rules', `must have at most ${maxComparisons} entries`);
  const kept = rules.flatMap((rule: unknown, index) => {
    const at = `rules.${index}`;
    if (!isRecord(rule)) throw invalid(at, 'must be an object with col, op and val');
    const { col, val } = rule;
    if (col === undefined || col === null || col === '') return [];
    if (!keepEmpty && takesValue(rule['op']) && isEmpty(val)) return [];
    return [comparisonOf({ ...rule, val: val ?? '' }, at)];
  });
  return group(match, kept);
}

/** The columns that a condition names. */
export function columnsIn(condition: Condition): string[] {
  if ('and' in condition) return condition.and.flatMap(columnsIn);
  if ('or' in condition) return condition.or.flatMap(columnsIn);
  return [condition.col];
}

function conditionOf(
  tree: unknown,
  at: string,
  depth: number,
  count: { comparisons: number },
): Condition | undefined {
  if (!isRecord(tree)) throw invalid(at, 'must be an object');
  if (depth > maxDepth) throw invalid(at, `must be nested at most ${maxDepth} levels deep`);
  const joints = (['and', 'or'] as const).filter((joint) => Object.hasOwn(tree, joint));
  const [joint] = joints;
  if (joint === undefined) {
    count.comparisons += 1;
    if (count.comparisons > maxComparisons)
      throw invalid('where', `must have at most ${maxComparisons} conditions`);
    return comparisonOf(tree, at);
  }
  const children: unknown = tree[joint];
  if (joints.length > 1 || Object.keys(tree).length > 1)
    throw invalid(at, 'must have "and", or "or", or col, op and val');
  if (!Array.isArray(children)) throw invalid(`${at}.${joint}`, 'must be a list');
  // No condition of several would let nothing through, which is hardly ever meant.
  if (joint === 'or' && children.length === 0) throw invalid(`${at}.or`, 'must have at least one condition');
  const conditions = children.map((child: unknown, index) =>
    conditionOf(child, `${at}.${joint}.${index}`, depth + 1, count),
  );
  return group(
    joint,
    conditions.filter((condition) => condition !== undefined),
  );
}

function group(joint: 'and' | 'or', conditions: readonly Condition[]): Condition | undefined {
  const [first] = conditions;
  if (conditions.length <= 1) return first;
  return joint === 'and' ? { and: conditions } : { or: conditions };
}

function comparisonOf({ col, op, val }: Readonly<Record<string, unknown>>, at: string): Comparison {
  if (typeof col !== 'string' || col === '') throw invalid(`${at}.col`, 'must be the name of a column');
  const operator = operators.find((known) => known === op);
  if (operator === undefined) throw invalid(`${at}.op`, `must be one of ${operators.join(', ')}`);
  if (operator === 'is_null' || operator === 'is_not_null') return { col, op: operator };
  if (operator === 'in' || operator === 'not_in') return { col, op: operator, val: listOf(val, `${at}.val`) };
  if (val === null || val === undefined) return comparisonWithNull(col, operator, at);
  return { col, op: operator, val: plainValue(val, `${at}.val`) };
}

function comparisonWithNull(col: string, op: PlainOperator, at: string): Comparison {
  if (op === 'eq') return { col, op: 'is_null' };
  if (op === 'neq') return { col, op: 'is_not_null' };
  throw invalid(`${at}.val`, `must not be null with the operator ${op}`);
}

/** Values separated by commas, or a list. */
function listOf(val: unknown, at: string): Value[] {
  const list: unknown[] = Array.isArray(val)
    ? val
    : typeof val === 'string'
      ? val.split(',').map((part) => part.trim())
      : [val];
  if (list.length > maxListValues) throw invalid(at, `must have at most ${maxListValues} values`);
  return list.map((value) => plainValue(value, at));
}

function plainValue(val: unknown, at: string): Value {
  if (typeof val === 'string' || typeof val === 'boolean') return val;
  if (typeof val === 'number' && Number.isFinite(val)) return val;
  throw invalid(at, 'must be a text, a number, true or false');
}

function takesValue(op: unknown): boolean {
  return op !== 'is_null' && op !== 'is_not_null';
}

function isEmpty(val: unknown): boolean {
  return (
    val === undefined ||
    val === null ||
    (typeof val === 'string' && val.trim() === '') ||
    (Array.isArray(val) && val.length === 0)
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined for an empty text. */
function parsedJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('where', 'must be JSON');
  }
}
