import type { Generated } from 'kysely';
import { contentQuery } from '../../../db/prepared.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    preview_links: {
      id: Generated<number>;
      page_id: number;
      hash: string;
      note: string;
      created_at: number;
      expires_at: number;
    };
  }
}

const previewLinks = contentTable('preview_links');

export interface LinkRow {
  readonly id: number;
  readonly note: string;
  readonly created_at: number;
  readonly expires_at: number;
}

interface NewLink extends Omit<LinkRow, 'id'> {
  readonly page_id: number;
  readonly hash: string;
}

/** The links of a page that are valid at `now`, newest first. */
export function listLinks(db: ContentDb, pageId: number, now: number): Promise<LinkRow[]> {
  return selectLinks.all(db, { pageId, now });
}

export async function insertLink(db: ContentDb, link: NewLink): Promise<number> {
  return (await insert.first(db, link))?.id ?? 0;
}

/** Deletes a link and returns the number of deleted rows. */
export const deleteLink = previewLinks.removeBy('id');

export async function deleteExpired(db: ContentDb, now: number): Promise<void> {
  await removeExpired.run(db, { now });
}

/** The page that a valid link opens. */
export async function findLinkedPage(db: ContentDb, hash: string, now: number): Promise<number | undefined> {
  return (await selectPage.first(db, { hash, now }))?.page_id;
}

const selectLinks = contentQuery((db, p: { pageId: number; now: number }) =>
  db
    .selectFrom('preview_links')
    .select(['id', 'note', 'created_at', 'expires_at'])
    .where('page_id', '=', p.pageId)
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc'),
);

const insert = contentQuery((db, p: NewLink) =>
  db
    .insertInto('preview_links')
    .values({
      page_id: p.page_id,
      hash: p.hash,
      note: p.note,
      created_at: p.created_at,
      expires_at: p.expires_at,
    })
    .returning('id'),
);

const removeExpired = contentQuery((db, p: { now: number }) =>
  db.deleteFrom('preview_links').where('expires_at', '<=', p.now),
);

const selectPage = contentQuery((db, p: { hash: string; now: number }) =>
  db.selectFrom('preview_links').select('page_id').where('hash', '=', p.hash).where('expires_at', '>', p.now),
);
