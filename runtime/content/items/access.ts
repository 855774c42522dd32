/**
 * How the entries of a query are found, where the planner of SQLite would read the whole collection: it knows no
 * figures about expression indexes and does not use them for lists of values, and no index holds the parts of a
 * list of references. Indexes and links are made for the shapes of queries in templates (`shape.ts`); a query of
 * another shape is left to the planner.
 */
import type { AccessPath, ItemAccess, LinkSet } from './paths.ts';
import {
  type Condition,
  createOperands,
  type ItemQuery,
  isImpossible,
  type Operand,
  type QueriedCollection,
} from './query.ts';
import { indexSql } from './sql.ts';

/** The way to the entries of a query; undefined leaves it to the planner. */
export function accessPath(
  access: ItemAccess,
  collection: QueriedCollection,
  query: ItemQuery,
): AccessPath | undefined {
  if (query.conditions.some(isImpossible)) return undefined;
  const linked = query.conditions.find(isAboutLinks);
  if (linked !== undefined) return linksPath(access.linkSets(collection.id), linked, query);
  const hasList = query.conditions.some(({ operator, values }) => operator === 'in' && values.length > 1);
  if (!hasList) return undefined;
  const name = access.itemIndexes().get(shapeSql(collection, query));
  return name === undefined ? undefined : { kind: 'index', name };
}

/** The field and direction by which the links of a list are sorted. */
export function linkOrder(
  order: string | undefined,
  fields: ReadonlyMap<string, Operand>,
): Pick<LinkSet, 'sort_field' | 'descending'> {
  const name = (order ?? '').replace(/^-/, '');
  const operand = fields.get(name);
  // A flag that is not stored counts as false, so its stored value is not what the query sorts by.
  if (operand === undefined || 'column' in operand || operand.compares === 'flag')
    return { sort_field: '', descending: false };
  return { sort_field: name, descending: order?.startsWith('-') === true };
}

function isAboutLinks({ operand, operator, values }: Condition): boolean {
  const finds = operator === 'eq' || operator === 'in' || operator === 'contains';
  return 'field' in operand && operand.compares === 'ids' && finds && values.length > 0;
}

function linksPath(
  sets: readonly LinkSet[],
  condition: Condition,
  { order }: ItemQuery,
): AccessPath | undefined {
  const { operand } = condition;
  const ofField = sets.filter(({ field }) => 'field' in operand && field === operand.field);
  const [first, ...others] = order;
  const sorted = ofField.find(({ sort_field, descending }) =>
    first === undefined
      ? sort_field === ''
      : 'field' in first.operand && sort_field === first.operand.field && descending === first.descending,
  );
  const set = sorted ?? ofField[0];
  if (set === undefined) return undefined;
  const isSorted = sorted !== undefined && others.length === 0 && condition.values.length === 1;
  return { kind: 'links', set, condition, isSorted };
}

/** What the index for queries like this one is on. */
function shapeSql(collection: QueriedCollection, { conditions, order }: ItemQuery): string {
  const fields = createOperands(collection);
  const names = new Map([...fields].map(([name, operand]) => [keyOf(operand), name]));
  const nameOf = (operand: Operand) => names.get(keyOf(operand)) ?? [];
  const equal = conditions
    .filter(({ operator }) => operator === 'eq' || operator === 'in')
    .flatMap(({ operand }) => nameOf(operand));
  const sorted = order.flatMap(({ operand, descending }) =>
    [nameOf(operand)].flat().map((name) => (descending ? `-${name}` : name)),
  );
  return indexSql(collection.id, { equal: [...new Set(equal)].sort(), order: sorted }, fields);
}

function keyOf(operand: Operand): string {
  return 'column' in operand ? `column ${operand.column}` : operand.field;
}
