/** The statements that PostgreSQL gets. Names of schemas and tables come from the program alone. */
import type { StepsPart } from '../db/replica/changed-rows.ts';
import { laneNames, type ReplicationLogName } from '../db/replica/lanes.ts';
import type { HistoryPosition } from '../db/replica/open.ts';
import {
  type ColumnWithDefault,
  columnList,
  quoted,
  type SharedColumn,
  type SharedTable,
} from '../db/replica/tables.ts';
import { literal, type PgRow } from './connection.ts';

/** Notifications: a version was committed, a node has applied one. */
export const committedChannel = 'incipit_committed';
export const appliedChannel = 'incipit_applied';

/** Version of the tables below; another one is refused. */
export const formatVersion = 2;

/**
 * What nodes need besides the tables of the content.
 *
 * A lane is an order of versions. Whoever holds the lock on its row is the one writer. A program that knows a lower
 * schema than `writable_from` may not write.
 */
export const controlTables = `
  CREATE SCHEMA IF NOT EXISTS incipit;
  CREATE TABLE IF NOT EXISTS incipit.instance (
    id uuid PRIMARY KEY,
    format integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS incipit.lanes (
    name text PRIMARY KEY,
    version bigint NOT NULL,
    commit_id text NOT NULL,
    schema_version integer NOT NULL,
    writable_from integer NOT NULL
  );
  CREATE TABLE IF NOT EXISTS incipit.log (
    lane text NOT NULL,
    version bigint NOT NULL,
    part integer NOT NULL,
    commit_id text NOT NULL,
    previous text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (lane, version, part)
  );
  CREATE TABLE IF NOT EXISTS incipit.nodes (
    id text PRIMARY KEY,
    name text NOT NULL,
    program text NOT NULL,
    lease_until timestamptz NOT NULL DEFAULT '-infinity',
    lease_ms integer NOT NULL,
    applied bigint NOT NULL DEFAULT -1
  );
  CREATE TABLE IF NOT EXISTS incipit.salts (
    day bigint PRIMARY KEY,
    sealed text NOT NULL
  );
  CREATE TABLE IF NOT EXISTS incipit.claims (
    name text PRIMARY KEY,
    node text NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS incipit.duties (
    name text PRIMARY KEY,
    node text NOT NULL,
    lease_until timestamptz NOT NULL
  );
`;

/** @param row of a log, with the columns `version` and `commit_id` */
export function toPosition(row: PgRow | undefined): HistoryPosition {
  return { version: Number(row?.['version']), commitId: String(row?.['commit_id']) };
}

export function toSchemaName(lane: ReplicationLogName): string {
  return `incipit_${lane}`;
}

/** Brings the tables of format 1 to this one. Nodes of that format cannot write any more; replicas are filled again. */
export function upgradeFormatSql(commitId: string): string {
  return `LOCK TABLE incipit.lanes, incipit.log, incipit.nodes IN ACCESS EXCLUSIVE MODE;
    DELETE FROM incipit.log;
    DELETE FROM incipit.nodes;
    ALTER TABLE incipit.log ADD COLUMN previous text NOT NULL;
    ALTER TABLE incipit.nodes ADD COLUMN lease_ms integer NOT NULL;
    ALTER TABLE incipit.lanes ADD COLUMN commit_id text NOT NULL DEFAULT ${literal(commitId)},
      ADD COLUMN writable_from integer NOT NULL DEFAULT 0;
    ALTER TABLE incipit.lanes ALTER COLUMN commit_id DROP DEFAULT, ALTER COLUMN writable_from DROP DEFAULT;
    UPDATE incipit.lanes SET version = version + 1, writable_from = schema_version;
    ${laneNames.map(markFilledSql).join(' ')}
    UPDATE incipit.instance SET format = ${formatVersion};`;
}

/** Part of a version in the log that has no steps, because all rows were replaced: it only says that it was there. */
const filledPart = -1;

/** Notes in the log that the rows of a lane were filled with its newest version. Other replicas fill themselves again. */
export function markFilledSql(lane: ReplicationLogName): string {
  return `INSERT INTO incipit.log (lane, version, part, commit_id, previous, body)
    SELECT name, version, ${filledPart}, commit_id, '', '[]' FROM incipit.lanes WHERE name = ${literal(lane)};`;
}

/** Makes the tables of a lane again, empty. PostgreSQL keeps rows and order; rules and triggers run on the nodes. */
export function tablesSql(lane: ReplicationLogName, tables: Iterable<SharedTable>): string {
  const schema = toSchemaName(lane);
  const create = [...tables].map((table) => tableSql(lane, table));
  return `DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}; ${create.join('\n')}`;
}

/** Makes one table of a lane. */
export function tableSql(lane: ReplicationLogName, { name, columns, key }: SharedTable): string {
  return `CREATE TABLE ${toSchemaName(lane)}.${quoted(name)}
    (${columns.map(columnSql).join(', ')}, PRIMARY KEY (${columnList(key)}));`;
}

/** Adds columns to a table of a lane, whose rows get their defaults. */
export function addColumnsSql(
  lane: ReplicationLogName,
  table: string,
  columns: readonly ColumnWithDefault[],
): string {
  const adding = columns.map(
    (column) => `ADD COLUMN ${columnSql(column)} DEFAULT ${column.default ?? 'NULL'}`,
  );
  return `ALTER TABLE ${toSchemaName(lane)}.${quoted(table)} ${adding.join(', ')};`;
}

function columnSql({ name, type }: SharedColumn): string {
  return `${quoted(name)} ${type}${type === 'text' ? ' COLLATE "C"' : ''}`;
}

interface PartPlace {
  readonly lane: ReplicationLogName;
  readonly version: number;
  readonly part: number;
  readonly commitId: string;
  /** ID of the commit before. */
  readonly previous: string;
}

/** Stores a part of a version in the log, and does its steps in the tables, which read it from there. */
export function partSql(
  { lane, version, part, commitId, previous }: PartPlace,
  { json, steps }: StepsPart,
  tables: ReadonlyMap<string, SharedTable>,
): string {
  const place = `lane = ${literal(lane)} AND version = ${version} AND part = ${part}`;
  const log = `INSERT INTO incipit.log (lane, version, part, commit_id, previous, body) VALUES
    (${literal(lane)}, ${version}, ${part}, ${literal(commitId)}, ${literal(previous)}, ${literal(json)});`;
  const statements = steps.map(({ table: name, kind }, index) => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`the table ${name} is not shared`);
    const rows = `incipit.log, json_array_elements(body::json -> ${index} -> '${kind}') AS r WHERE ${place}`;
    return kind === 'remove' ? removeSql(lane, table, rows) : addSql(lane, table, rows);
  });
  return [log, ...statements].join('\n');
}

/** Adds rows that are given as JSON: a list of lists of values. */
export function rowsSql(lane: ReplicationLogName, table: SharedTable, json: string): string {
  return addSql(lane, table, `json_array_elements(${literal(json)}::json) AS r`);
}

function addSql(lane: ReplicationLogName, { name, columns }: SharedTable, rows: string): string {
  const values = columns.map(({ type }, place) => `(r ->> ${place})::${type}`);
  return `INSERT INTO ${toSchemaName(lane)}.${quoted(name)} (${columnList(columns)}) SELECT ${values.join(', ')} FROM ${rows};`;
}

function removeSql(lane: ReplicationLogName, { name, key }: SharedTable, rows: string): string {
  const keys = key.map(({ type }, place) => `(r ->> ${place})::${type} AS k${place}`);
  const same = key.map((column, place) => `t.${quoted(column.name)} = k.k${place}`);
  return `DELETE FROM ${toSchemaName(lane)}.${quoted(name)} AS t USING (SELECT ${keys.join(', ')} FROM ${rows}) AS k WHERE ${same.join(' AND ')};`;
}
