import type { ExtdbColumn, ExtdbTable, ExtdbTableDetail } from '../../model.ts';
import { flagIn, listIn, recordIn, textIn } from '../reading.ts';
import type { NocoColumn } from './filter.ts';

/** A table with what only this adapter needs to know of it. */
export interface NocoTable {
  readonly detail: ExtdbTableDetail;
  /** By name. */
  readonly columns: ReadonlyMap<string, NocoColumn>;
  /** Names of columns that NocoDB adds to rows for itself. */
  readonly hidden: ReadonlySet<string>;
}

/** Reads the tables of a base; junction tables are left out. */
export function readTables(base: unknown, answer: unknown): Omit<ExtdbTable, 'ref'>[] {
  return listIn(recordIn(answer)['list'])
    .filter((table) => !flagIn(table, 'mm'))
    .map((table) => ({
      id: textIn(table, 'id'),
      name: textIn(table, 'title'),
      schema: textIn(table, 'schema'),
      source: textIn(base, 'title'),
      source_id: textIn(base, 'id'),
      public_read: false,
    }));
}

export function readTable(table: ExtdbTable, answer: unknown): NocoTable {
  const { columns, views } = recordIn(answer);
  const all = listIn(columns).map((column) => ({ column, name: textIn(column, 'title') }));
  const shown = all.filter(({ column }) => isShown(column));
  return {
    detail: {
      table,
      columns: shown.map(({ column, name }) => columnOf(name, column)),
      views: listIn(views).map((view, index) => ({
        id: textIn(view, 'id'),
        name: textIn(view, 'title'),
        type: viewTypes[Number(textIn(view, 'type'))] ?? textIn(view, 'type'),
        default: flagIn(view, 'is_default') || index === 0,
      })),
    },
    columns: new Map(
      shown.map(({ column, name }) => [name, { id: textIn(column, 'id'), type: textIn(column, 'uidt') }]),
    ),
    hidden: new Set(all.filter(({ column }) => !isShown(column)).map(({ name }) => name)),
  };
}

function columnOf(name: string, column: unknown): ExtdbColumn {
  const type = textIn(column, 'uidt');
  return {
    name,
    ui_type: type,
    field_kind: relations.has(type) ? 'relation' : computed.has(type) ? 'computed' : 'value',
    primary_key: flagIn(column, 'pk'),
    nullable: !flagIn(column, 'rqd'),
  };
}

/** Columns that NocoDB keeps for itself, except the times of creation and change, which its tables show. */
function isShown(column: unknown): boolean {
  return !flagIn(column, 'system') || times.has(textIn(column, 'uidt'));
}

const times: ReadonlySet<string> = new Set(['CreatedTime', 'LastModifiedTime']);
const relations: ReadonlySet<string> = new Set(['Links', 'LinkToAnotherRecord', 'ForeignKey']);
const computed: ReadonlySet<string> = new Set([
  ...['CreatedTime', 'LastModifiedTime', 'CreatedBy', 'LastModifiedBy', 'AutoNumber'],
  ...['Formula', 'Rollup', 'Lookup', 'Count', 'Barcode', 'QrCode', 'Button'],
]);

/** NocoDB numbers its kinds of views. */
const viewTypes: Readonly<Record<number, string>> = {
  1: 'form',
  2: 'gallery',
  3: 'grid',
  4: 'kanban',
  5: 'map',
  6: 'calendar',
};
