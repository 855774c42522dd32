import type { ExtdbColumn, ExtdbTable } from '../../model.ts';
import { flagIn, listIn, recordIn, textIn } from '../reading.ts';
import type { NocoTable } from './api.ts';

/** Reads the tables of a base, of either version; junction tables are left out. */
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

/** A table as API v2 describes it. */
export function readTableV2(table: ExtdbTable, answer: unknown): NocoTable {
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

/** A table as API v3 describes it. It tells of no keys but the ID, and of no columns of NocoDB's own. */
export function readTableV3(table: ExtdbTable, answer: unknown): NocoTable {
  const { fields, views } = recordIn(answer);
  const named = listIn(fields).map((field) => ({
    name: textIn(field, 'title'),
    id: textIn(field, 'id'),
    type: textIn(field, 'type'),
  }));
  return {
    detail: {
      table,
      columns: named.map(({ name, type }) => ({
        name,
        ui_type: type,
        field_kind: kindOf(type),
        primary_key: type === 'ID',
        nullable: type !== 'ID',
      })),
      views: listIn(views).map((view, index) => ({
        id: textIn(view, 'id'),
        name: textIn(view, 'title'),
        type: textIn(view, 'view_type'),
        default: index === 0,
      })),
    },
    columns: new Map(named.map(({ name, id, type }) => [name, { id, type }])),
    hidden: new Set(),
  };
}

function columnOf(name: string, column: unknown): ExtdbColumn {
  const type = textIn(column, 'uidt');
  return {
    name,
    ui_type: type,
    field_kind: kindOf(type),
    primary_key: flagIn(column, 'pk'),
    nullable: !flagIn(column, 'rqd'),
  };
}

function kindOf(type: string): string {
  return relations.has(type) ? 'relation' : computed.has(type) ? 'computed' : 'value';
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
