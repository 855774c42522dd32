/** The tables of a bundle, read from the declared kinds: a kind that is added is in all bundles by itself. */

import type { AttachedTable, IdHolder, Kind } from '../../content/kinds/kind.ts';
import { type ColumnInfo, findReferringColumn, listColumns, listUniqueColumns } from '../../db/schema.ts';
import type { ContentDb, ContentTables } from '../../db/tables.ts';

export interface BundleTable {
  readonly name: keyof ContentTables;
  /** The kind whose objects the rows belong to. */
  readonly kind: Kind;
  /** Names of all columns. */
  readonly columns: readonly string[];
  /** The columns that a bundle carries. */
  readonly carried: readonly string[];
  /** The carried columns that count as content. */
  readonly counted: readonly string[];
  readonly key: readonly string[];
  /** Columns besides the key whose values must be unique, and that are texts. */
  readonly unique: readonly string[];
  /** Columns of which a row with another value is another object, under the same ID. */
  readonly fixed: readonly string[];
  /** Columns that name files or entries by their IDs. */
  readonly names: Readonly<Record<string, IdHolder>>;
  /** The column that names the object: the ID in the first table of a kind, else what refers to it. */
  readonly owner: string;
  /** Set for a table that is no content itself: the hash leaves it out, and a bundle may lack it. */
  readonly attached: AttachedTable | undefined;
}

/** Columns whose change alone is no change of content. */
const neverCounted: readonly string[] = ['updated_at'];

/** @throws Error if a declared table cannot be in a bundle, which is a defect of the declaration */
export function describeTables(
  db: ContentDb,
  kinds: readonly Kind[],
  attached: readonly AttachedTable[],
): BundleTable[] {
  const ofKinds = kinds.flatMap((kind) => kind.tables.map((name) => describeTable(db, kind, name)));
  const others = attached.map((table) => {
    const kind = kinds.find(({ name }) => name === table.kind);
    if (kind === undefined) throw new Error(`${table.name} belongs to no kind`);
    return { ...describeTable(db, kind, table.name), attached: table };
  });
  return [...ofKinds, ...others];
}

function describeTable(db: ContentDb, kind: Kind, name: keyof ContentTables): BundleTable {
  const isFirst = name === kind.tables[0];
  const infos = listColumns(db, name);
  const columns = infos.map((column) => column.name);
  const key = keyOf(infos);
  const owner = isFirst ? key[0] : findReferringColumn(db, name, kind.tables[0] ?? '');
  if (owner === undefined)
    throw new Error(`the rows of ${name} belong to no object of the kind ${kind.name}`);
  const { ownColumns = [], uncounted = [], fixed = [], names = {} } = isFirst ? (kind.bundle ?? {}) : {};
  const carried = columns.filter((column) => !ownColumns.includes(column));
  const texts = new Set(infos.filter(({ type }) => type === 'text').map((column) => column.name));
  return {
    name,
    kind,
    columns,
    carried,
    counted: carried.filter((column) => !neverCounted.includes(column) && !uncounted.includes(column)),
    key,
    unique: listUniqueColumns(db, name).filter((column) => texts.has(column) && !key.includes(column)),
    fixed,
    names,
    owner,
    attached: undefined,
  };
}

function keyOf(columns: readonly ColumnInfo[]): string[] {
  return columns
    .filter(({ keyPlace }) => keyPlace > 0)
    .sort((left, right) => left.keyPlace - right.keyPlace)
    .map(({ name }) => name);
}
