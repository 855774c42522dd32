import type { Generated } from 'kysely';
import type { CellsOf, Columns } from '../../runtime/content/columns.ts';
import type { Connection } from './connection.ts';
import type { Snapshots } from './snapshots.ts';

/*
 * The tables of both databases, as types for Kysely. The files in `migrations/` create the tables. Each store
 * adds its own:
 *
 *     declare module '../db/tables.ts' {
 *       interface ContentTables {
 *         assets: ObjectColumns<typeof assetColumns>;
 *       }
 *     }
 *
 * Flags are 0 or 1 and times are Unix seconds.
 */

/** Settings as key and value; several features have settings. */
interface SettingsTable {
  key: string;
  value: string;
}

/** Tables of content.db. */
export interface ContentTables {
  settings: SettingsTable;
}

/** Tables of activity.db. */
// biome-ignore lint/suspicious/noEmptyInterface: each store adds its own tables to it
export interface ActivityTables {}

export type ContentDb = Connection<ContentTables>;
export type ContentSnapshots = Snapshots<ContentTables>;
export type ActivityDb = Connection<ActivityTables>;

/** The columns of a table of objects. The database assigns the ID. */
export type ObjectColumns<Table extends Columns> = Omit<CellsOf<Table>, 'id'> & { id: Generated<number> };
