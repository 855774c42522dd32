/**
 * SQL of queries of entries. Names of fields come from the schema of the collection alone and are checked once
 * more; values are bound. The ID of the collection stands in the text, because SQLite uses a partial index only if
 * the text itself shows that it fits.
 */
import { type Condition, foldCase, type ItemQuery, isImpossible, type Operand } from './query.ts';
import type { Shape } from './shape.ts';

export interface Sql {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/** @param drafts whether drafts are among the result */
export function selectSql(
  columns: readonly string[],
  collectionId: number,
  query: ItemQuery,
  drafts: boolean,
): Sql {
  const where = whereSql(collectionId, query, drafts);
  const named = query.order.map(({ operand, descending }) => [operandSql(operand), descending] as const);
  const order = [...named, ['sort', false] as const, ['id', false] as const]
    .filter(([name], index, all) => all.findIndex(([other]) => other === name) === index)
    .map(([name, descending]) => `${name}${descending ? ' DESC' : ''}`);
  const limit = query.limit === undefined && query.offset === 0 ? '' : ' LIMIT ? OFFSET ?';
  return {
    text: `SELECT ${columns.join(', ')} FROM items WHERE ${where.text} ORDER BY ${order.join(', ')}${limit}`,
    values: limit === '' ? where.values : [...where.values, query.limit ?? -1, query.offset],
  };
}

/** Number of entries without regard to limit and offset. */
export function countSql(collectionId: number, query: ItemQuery, drafts: boolean): Sql {
  const where = whereSql(collectionId, query, drafts);
  return { text: `SELECT count(*) AS count FROM items WHERE ${where.text}`, values: where.values };
}

/** The values of a field in the published entries, with their last changes and language groups. */
export function detailSql(collectionId: number, field: string): Sql {
  const text = `SELECT ${fieldSql(field)}, updated_at, translation_group FROM items
    WHERE collection_id = ${wholeId(collectionId)} AND published = 1 ORDER BY sort, id`;
  return { text, values: [] };
}

/** The columns of an index for queries of a shape, and its condition. */
export function indexSql(
  collectionId: number,
  shape: Pick<Shape, 'equal' | 'order'>,
  fields: ReadonlyMap<string, Operand>,
): string {
  const expression = (name: string) => {
    const operand = fields.get(name.replace(/^-/, ''));
    return operand === undefined ? [] : [operandSql(operand) + (name.startsWith('-') ? ' DESC' : '')];
  };
  const columns = [...shape.equal, ...shape.order].flatMap(expression);
  return `items (${[...new Set([...columns, 'sort', 'id'])].join(', ')}) WHERE collection_id = ${wholeId(collectionId)}`;
}

/** Most values that stand in the text one by one: SQLite uses an index for a list, but hardly for a subquery. */
const maxListed = 20;

function whereSql(collectionId: number, query: ItemQuery, drafts: boolean): Sql {
  const parts: Sql[] = query.conditions.map(conditionSql);
  if (!drafts) parts.push({ text: 'published = 1', values: [] });
  if (query.search !== '') parts.push(searchSql(query));
  return {
    text: [`collection_id = ${wholeId(collectionId)}`, ...parts.map(({ text }) => text)].join(' AND '),
    values: parts.flatMap(({ values }) => values),
  };
}

function conditionSql(condition: Condition): Sql {
  const { operand, operator, values } = condition;
  if (isImpossible(condition)) return { text: operator === 'ne' ? '1' : '0', values: [] };
  const left = operandSql(operand);
  if (values.length === 0) return { text: `${left} IS ${operator === 'ne' ? 'NOT ' : ''}NULL`, values };
  if ('field' in operand && operand.compares === 'ids') return listSql(operand.field, operator, values);
  const [value = ''] = values;
  switch (operator) {
    case 'eq':
      return { text: `${left} = ?`, values };
    case 'ne':
      return { text: `${left} IS NOT ?`, values };
    case 'gt':
      return { text: `${left} > ?`, values };
    case 'gte':
      return { text: `${left} >= ?`, values };
    case 'lt':
      return { text: `${left} < ?`, values };
    case 'lte':
      return { text: `${left} <= ?`, values };
    case 'in':
      return values.length <= maxListed
        ? { text: `${left} IN (${values.map(() => '?').join(', ')})`, values }
        : { text: `${left} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] };
    case 'contains':
      return { text: `instr(${left}, ?) > 0`, values };
    case 'icontains':
      return { text: `instr(fold_case(coalesce(${left}, '')), ?) > 0`, values: [foldCase(String(value))] };
    case 'startswith':
      return { text: `(${left} >= ? AND substr(${left}, 1, length(?)) = ?)`, values: [value, value, value] };
    case 'endswith':
      return { text: `substr(${left}, -length(?)) = ?`, values: [value, value] };
    case 'isnull':
      throw new TypeError('isnull is a comparison with nothing');
  }
}

/** References are lists: equality means contains. */
function listSql(field: string, operator: Condition['operator'], values: Condition['values']): Sql {
  const list = `json_each(items.data, ${pathSql(field)})`;
  const found = `EXISTS (SELECT 1 FROM ${list} AS entry WHERE entry.value IN (SELECT value FROM json_each(?)))`;
  return { text: operator === 'ne' ? `NOT ${found}` : found, values: [JSON.stringify(values)] };
}

function searchSql({ search, searched }: ItemQuery): Sql {
  if (searched.length === 0) return { text: '0', values: [] };
  const texts = searched.map((field) => `coalesce(${fieldSql(field)}, '')`);
  // The line break keeps a word from spanning two fields.
  return { text: `instr(fold_case(${texts.join(` || char(10) || `)}), ?) > 0`, values: [search] };
}

function operandSql(operand: Operand): string {
  if ('column' in operand) return operand.column;
  // An entry that was saved before its collection got the flag has no value for it.
  return operand.compares === 'flag' ? `coalesce(${fieldSql(operand.field)}, 0)` : fieldSql(operand.field);
}

function fieldSql(field: string): string {
  return `json_extract(data, ${pathSql(field)})`;
}

/** @throws TypeError for a name that no schema can have */
function pathSql(field: string): string {
  if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(field)) throw new TypeError(`"${field}" is no name of a field`);
  return `'$.${field}'`;
}

/** @throws TypeError for a number that no collection can have */
function wholeId(id: number): number {
  if (!Number.isSafeInteger(id) || id < 0) throw new TypeError(`${id} is no ID`);
  return id;
}
