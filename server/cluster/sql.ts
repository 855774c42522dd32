/** The statements that PostgreSQL gets. Names of schemas and tables come from the program alone. */
import type { StepsPart } from '../db/replica/changed-rows.ts';
import type { ReplicationLogName } from '../db/replica/lanes.ts';
import { columnList, quoted, type SharedColumn, type SharedTable } from '../db/replica/tables.ts';
import { literal } from './session.ts';

/** Notifications: a version was committed, a node has applied one. */
export const committedChannel = 'incipit_committed';
export const appliedChannel = 'incipit_applied';

/** Version of the tables below; another one is refused. */
export const formatVersion = 1;

/**
 * What nodes need besides the tables of the content.
 *
 * A lane is an order of versions. Whoever holds the lock on its row is the one writer.
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
    schema_version integer NOT NULL
  );
  CREATE TABLE IF NOT EXISTS incipit.log (
    lane text NOT NULL,
    version bigint NOT NULL,
    part integer NOT NULL,
    commit_id text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (lane, version, part)
  );
  CREATE TABLE IF NOT EXISTS incipit.nodes (
    id text PRIMARY KEY,
    name text NOT NULL,
    program text NOT NULL,
    lease_until timestamptz NOT NULL DEFAULT '-infinity',
    applied bigint NOT NULL DEFAULT -1
  );
  CREATE TABLE IF NOT EXISTS incipit.salts (
    day bigint PRIMARY KEY,
    sealed text NOT NULL
  );
  CREATE TABLE IF NOT EXISTS incipit.duties (
    name text PRIMARY KEY,
    node text NOT NULL,
    lease_until timestamptz NOT NULL
  );
`;

export function toSchemaName(lane: ReplicationLogName): string {
  return `incipit_${lane}`;
}

/** Makes the tables of a lane anew, empty. PostgreSQL keeps rows and order; rules and triggers run on the nodes. */
export function tablesSql(lane: ReplicationLogName, tables: Iterable<SharedTable>): string {
  const schema = toSchemaName(lane);
  const create = [...tables].map(
    ({ name, columns, key }) =>
      `CREATE TABLE ${schema}.${quoted(name)} (${columns.map(columnSql).join(', ')}, PRIMARY KEY (${columnList(key)}));`,
  );
  return `DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}; ${create.join('\n')}`;
}

function columnSql({ name, type }: SharedColumn): string {
  return `${quoted(name)} ${type}${type === 'text' ? ' COLLATE "C"' : ''}`;
}

interface PartPlace {
  readonly lane: ReplicationLogName;
  readonly version: number;
  readonly part: number;
  readonly commitId: string;
}

/** Stores a part of a version in the log, and does its steps in the tables, which read it from there. */
export function partSql(
  { lane, version, part, commitId }: PartPlace,
  { json, steps }: StepsPart,
  tables: ReadonlyMap<string, SharedTable>,
): string {
  const place = `lane = ${literal(lane)} AND version = ${version} AND part = ${part}`;
  const log = `INSERT INTO incipit.log (lane, version, part, commit_id, body)
    VALUES (${literal(lane)}, ${version}, ${part}, ${literal(commitId)}, ${literal(json)});`;
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
