import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    invitations: StoredInvitation;
  }
}

export interface StoredInvitation {
  readonly user_id: number;
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  /** Unix seconds. */
  readonly expires_at: number;
}

const invitations = contentTable('invitations');

export const findInvitation = invitations.findBy(['hash']);

const upsert = invitations.upsert(['user_id'], ['hash', 'expires_at']);

/** In place of an older one of the same user. */
export async function saveInvitation(db: ContentDb, invitation: StoredInvitation): Promise<void> {
  await upsert(db, invitation);
}

const remove = invitations.removeBy('user_id');

/** Ends the invitation of a user, if there is one. */
export async function deleteInvitation(db: ContentDb, userId: number): Promise<void> {
  await remove(db, userId);
}
