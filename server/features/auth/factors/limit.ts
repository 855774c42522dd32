import { apiError } from '../../../base/errors.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { listFactors } from './store.ts';

/** Most factors of one user. */
const maxFactors = 20;

/** @throws ApiError 409 `auth.tooManyFactors` if a user can have no further factor */
export async function requireRoom(db: ContentDb, userId: number): Promise<void> {
  if ((await listFactors(db, userId)).length >= maxFactors)
    throw apiError('auth.tooManyFactors', { max: maxFactors });
}
