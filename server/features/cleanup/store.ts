/** Objects that nothing but themselves refers to. The queries read in slices: there may be very many objects. */
import { type Expression, type SqlBool, sql } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';

export const selectUnusedFiles = contentQuery((db, _p: object) =>
  db
    .selectFrom('files')
    .select(['id', 'name', 'path', 'size'])
    .where(nothingRefersTo('file', sql`cast(files.id as text)`, sql`files.id`))
    .where(nothingRefersTo('media', sql`files.path`, sql`files.id`))
    .orderBy('id'),
);

export const selectUnusedAssets = contentQuery((db, _p: object) =>
  db
    .selectFrom('assets')
    .select(['id', 'name'])
    .where(nothingRefersTo('asset', sql`cast(assets.id as text)`, sql`assets.id`))
    .orderBy('id'),
);

export const selectUnusedSnippets = contentQuery((db, _p: object) =>
  db
    .selectFrom('snippets')
    .select(['id', 'name'])
    .where(nothingRefersTo('snippet', sql`snippets.name`, sql`snippets.id`))
    .orderBy('id'),
);

function nothingRefersTo(
  kind: string,
  key: Expression<unknown>,
  id: Expression<unknown>,
): Expression<SqlBool> {
  return sql<SqlBool>`NOT EXISTS (SELECT 1 FROM object_references r
    WHERE r.to_kind = ${sql.lit(kind)} AND r.to_key = ${key}
      AND NOT (r.kind = ${sql.lit(kind)} AND r.object_id = ${id}))`;
}
