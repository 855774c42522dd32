import type { Generated } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    change_set_reviews: ReviewRow;
    change_set_comments: Omit<CommentRow, 'id'> & { id: Generated<number> };
  }
}

export interface ReviewRow {
  change_set_id: number;
  state: string;
  note: string;
  hash: string;
  author: string;
  at: number;
}

export interface CommentRow {
  id: number;
  change_set_id: number;
  kind: string;
  object_id: number;
  field: string | null;
  block: string | null;
  quote: string | null;
  text: string;
  resolved: number;
  author: string;
  created_at: number;
  updated_at: number;
}

const reviews = contentTable('change_set_reviews');
const comments = contentTable('change_set_comments');

export const findReview = reviews.findBy(['change_set_id']);
export const saveReview = reviews.upsert(['change_set_id'], ['state', 'note', 'hash', 'author', 'at']);

export const listComments = comments.listBy(['change_set_id'], ['id']);
export const findComment = comments.findBy(['change_set_id', 'id']);
export const removeComment = comments.removeBy('change_set_id', 'id');
export const updateComment = comments.updateBy(
  ['id'],
  ['kind', 'object_id', 'field', 'block', 'quote', 'text', 'resolved', 'updated_at'],
);

/** Stores a new comment and answers with its ID. */
export async function insertComment(db: ContentDb, comment: Omit<CommentRow, 'id'>): Promise<number> {
  return Number((await insertOne.first(db, comment))?.id);
}

const insertOne = contentQuery((db, p: Omit<CommentRow, 'id'>) =>
  db
    .insertInto('change_set_comments')
    .values({
      ...{ change_set_id: p.change_set_id, kind: p.kind, object_id: p.object_id },
      ...{ field: p.field, block: p.block, quote: p.quote, text: p.text, resolved: p.resolved },
      ...{ author: p.author, created_at: p.created_at, updated_at: p.updated_at },
    })
    .returning('id'),
);
