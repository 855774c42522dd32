/**
 * SQL of queries of entries. Names of fields come from the schema of the collection alone and are checked once
 * more; values are bound. The ID of the collection stands in the text, because SQLite uses a partial index only if
 * the text itself shows that it fits.
 */
import type { AccessPath, LinkSet } from './paths.ts';
import { type Condition, foldCase, type ItemQuery, isImpossible, type Operand } from './query.ts';
import type { Shape } from './shape.ts';

export interface Sql {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/**
 * @param drafts whether drafts are among the result
 * @param path how the entries are found; undefined leaves it to the planner
 */
export function selectSql(
  columns: readonly string[],
  collectionId: number,
  query: ItemQuery,
  drafts: boolean,
  path?: AccessPath,
): Sql {
  const from = fromSql(path);
  const where = whereSql(collectionId, query, drafts, path);
  const order = path?.kind === 'links' && path.isSorted ? linkOrderSql(path.set) : orderSql(query);
  const limit = query.limit === undefined && query.offset === 0 ? '' : ' LIMIT ? OFFSET ?';
  const values = [...from.values, ...where.values];
  return {
    text: `SELECT ${columns.join(', ')} FROM ${from.text} WHERE ${where.text} ORDER BY ${order}${limit}`,
    values: limit === '' ? values : [...values, query.limit ?? -1, query.offset],
  };
}

/** Number of entries without regard to limit and offset. */
export function countSql(collectionId: number, query: ItemQuery, drafts: boolean, path?: AccessPath): Sql {
  const from = fromSql(path);
  const where = whereSql(collectionId, query, drafts, path);
  const text = `SELECT count(*) AS count FROM ${from.text} WHERE ${where.text}`;
  return { text, values: [...from.values, ...where.values] };
}

/** The values of a field in the published entries, with their last changes and language groups. */
export function detailSql(collectionId: number, field: string): Sql {
  const text = `SELECT ${fieldSql(field)}, updated_at, translation_group FROM items
    WHERE collection_id = ${wholeId(collectionId)} AND published = 1 ORDER BY sort, id`;
  return { text, values: [] };
}

/** Finds the first other entry with a value: its parameters are the value and the ID of the entry itself. */
export function sameValueSql(collectionId: number, operand: Operand): string {
  return `SELECT id FROM items WHERE collection_id = ${wholeId(collectionId)} AND ${operandSql(operand)} = ?
    AND id <> ? ORDER BY sort, id LIMIT 1`;
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

/** The links of a field of references, to be made. */
export interface ItemLinks extends Omit<LinkSet, 'id'> {
  readonly collectionId: number;
}

/** Makes a set of links for the entries that are stored; triggers keep it right from then on. */
export function makeLinksSql({ collectionId, field, sort_field: sort, descending }: ItemLinks): string {
  const collection = wholeId(collectionId);
  const down = Number(descending);
  const name = (text: string) => pathSql(text).replace('$.', '');
  const key = sort === '' ? 'NULL' : fieldSql(sort);
  return `BEGIN IMMEDIATE;
    INSERT INTO item_link_sets (collection_id, field, sort_field, descending)
    VALUES (${collection}, ${name(field)}, ${sort === '' ? "''" : name(sort)}, ${down});
    INSERT INTO item_links (set_id, descending, to_id, sort_key, place, item_id)
    SELECT (SELECT max(id) FROM item_link_sets), ${down}, linked.value, ${key}, sort, items.id
    FROM items, json_each(data, ${pathSql(field)}) AS linked
    WHERE collection_id = ${collection} AND linked.type = 'integer';
    COMMIT`;
}

/** Drops a set with its links. */
export function dropLinksSql(id: number): string {
  return `BEGIN IMMEDIATE;
    DELETE FROM item_links WHERE set_id = ${wholeId(id)};
    DELETE FROM item_link_sets WHERE id = ${wholeId(id)};
    COMMIT`;
}

/** The tables in the order in which they are read: `CROSS JOIN` keeps the planner from another one. */
function fromSql(path: AccessPath | undefined): Sql {
  if (path === undefined) return { text: 'items', values: [] };
  if (path.kind === 'index') return { text: `items INDEXED BY ${path.name}`, values: [] };
  const { set, condition } = path;
  const { values } = condition;
  const own = `set_id = ${wholeId(set.id)} AND descending = ${Number(set.descending)}`;
  const [value = 0] = values;
  if (values.length === 1)
    return {
      text: `(SELECT * FROM item_links WHERE ${own} AND to_id = ?) AS link CROSS JOIN items ON id = item_id`,
      values: [value],
    };
  const found = `SELECT DISTINCT item_id FROM item_links WHERE ${own} AND to_id IN (SELECT value FROM json_each(?))`;
  return { text: `(${found}) AS link CROSS JOIN items ON id = item_id`, values: [JSON.stringify(values)] };
}

function orderSql({ order }: ItemQuery): string {
  const named = order.map(({ operand, descending }) => [operandSql(operand), descending] as const);
  return [...named, ['sort', false] as const, ['id', false] as const]
    .filter(([name], index, all) => all.findIndex(([other]) => other === name) === index)
    .map(([name, descending]) => `${name}${descending ? ' DESC' : ''}`)
    .join(', ');
}

/** The order of the index of links. */
function linkOrderSql({ descending }: LinkSet): string {
  return `sort_key${descending ? ' DESC' : ''}, place, item_id`;
}

/** Most values that stand in the text one by one. */
const maxListed = 20;

function whereSql(collectionId: number, query: ItemQuery, drafts: boolean, path?: AccessPath): Sql {
  const done = path?.kind === 'links' ? path.condition : undefined;
  const parts: Sql[] = query.conditions.filter((condition) => condition !== done).map(conditionSql);
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
  if (values.length === 0)
    return { text: `${storedSql(operand)} IS ${operator === 'ne' ? 'NOT ' : ''}NULL`, values };
  const left = operandSql(operand);
  if ('field' in operand && (operand.compares === 'ids' || operand.compares === 'texts'))
    return listSql(operand.field, operator, values);
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

/** References and options are lists: equality means contains. */
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
  const stored = storedSql(operand);
  if ('column' in operand || operand.compares !== 'number') return stored;
  // A text from before the field had numbers: beside a number, SQLite reads a text as one only if it is one entirely.
  const number = `CAST(${stored} AS NUMERIC)`;
  return `CASE typeof(${stored}) WHEN 'text' THEN CASE WHEN ${stored} = ${number} THEN ${number} END ELSE ${stored} END`;
}

function storedSql(operand: Operand): string {
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
