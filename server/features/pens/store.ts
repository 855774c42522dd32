import type { Columns } from '../../../runtime/content/columns.ts';
import { objectTable } from '../../db/object-table.ts';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb, ObjectColumns } from '../../db/tables.ts';
import type { Pen } from './model.ts';

const penColumns = {
  id: 'integer',
  uuid: 'text',
  title: 'text',
  html: 'text',
  css: 'text',
  js: 'text',
  public: 'flag',
  show_code: 'flag',
  created_at: 'integer',
  updated_at: 'integer',
} as const satisfies Columns;

declare module '../../db/tables.ts' {
  interface ContentTables {
    pens: ObjectColumns<typeof penColumns>;
  }
}

export const pens = objectTable<Pen>()('pens', penColumns, { keptByUpdates: ['uuid'] });

export async function findIdByUuid(db: ContentDb, uuid: string): Promise<number | undefined> {
  return (await selectByUuid.first(db, { uuid }))?.id;
}

/** All pens in slices, most recently changed first. The connection must be in a transaction. */
export async function* listPens(db: ContentDb): AsyncGenerator<Pen[]> {
  for await (const rows of selectAll.slices(db, {}, 20)) yield rows.map(pens.fromRow);
}

const selectByUuid = contentQuery((db, p: { uuid: string }) =>
  db.selectFrom('pens').select('id').where('uuid', '=', p.uuid),
);

const selectAll = contentQuery((db, _p: object) =>
  db.selectFrom('pens').selectAll().orderBy('updated_at', 'desc').orderBy('id', 'desc'),
);
