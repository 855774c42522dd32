import { contentQuery } from '../../../db/prepared.ts';
import type { ContentDb } from '../../../db/tables.ts';

export interface SetLink {
  readonly id: number;
  /** The home page of the website. */
  readonly page_id: number;
  readonly note: string;
  readonly created_at: number;
  readonly expires_at: number;
  /** Whom the link ends with, see `nameOpener`. */
  readonly opened_by: string;
}

interface NewLink extends Omit<SetLink, 'id'> {
  readonly change_set_id: number;
  readonly hash: string;
}

/** The links of a change set that are valid at a time, newest first. */
export function listSetLinks(db: ContentDb, setId: number, now: number): Promise<SetLink[]> {
  return selectLinks.all(db, { setId, now });
}

/** Stores a link and answers with its ID. */
export async function insertSetLink(db: ContentDb, link: NewLink): Promise<number> {
  return (await insertOne.first(db, link))?.id ?? 0;
}

/** What a valid link shows, as long as its change set may still be published. */
export function findLinkedSet(
  db: ContentDb,
  hash: string,
  now: number,
): Promise<
  (Pick<SetLink, 'page_id' | 'opened_by'> & { readonly id: number; readonly name: string }) | undefined
> {
  return selectSet.first(db, { hash, now });
}

/** The home page of the default website, or of the oldest one; undefined if there is none. */
export async function findFirstSite(db: ContentDb): Promise<number | undefined> {
  return (await selectFirstSite.first(db, {}))?.id;
}

const selectLinks = contentQuery((db, p: { setId: number; now: number }) =>
  db
    .selectFrom('preview_links')
    .select(['id', 'page_id', 'note', 'created_at', 'expires_at', 'opened_by'])
    .where('change_set_id', '=', p.setId)
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc'),
);

const insertOne = contentQuery((db, p: NewLink) =>
  db
    .insertInto('preview_links')
    .values({
      ...{ page_id: p.page_id, hash: p.hash, note: p.note, created_at: p.created_at },
      ...{ expires_at: p.expires_at, change_set_id: p.change_set_id, opened_by: p.opened_by },
    })
    .returning('id'),
);

const selectSet = contentQuery((db, p: { hash: string; now: number }) =>
  db
    .selectFrom('preview_links')
    .innerJoin('change_sets', 'change_sets.id', 'preview_links.change_set_id')
    .select(['change_sets.id', 'change_sets.name', 'preview_links.page_id', 'preview_links.opened_by'])
    .where('preview_links.hash', '=', p.hash)
    .where('preview_links.expires_at', '>', p.now)
    .where('change_sets.state', 'in', ['open', 'scheduled', 'failed']),
);

const selectFirstSite = contentQuery((db, _p: object) =>
  db
    .selectFrom('pages')
    .select('id')
    .where('parent_id', 'is', null)
    .orderBy('default_site', 'desc')
    .orderBy('id')
    .limit(1),
);
