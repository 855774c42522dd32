import Type from 'typebox';
import { invalid } from '../../base/errors.ts';
import { Followed } from '../../changes/followers.ts';
import { defineSettings } from '../../db/settings.ts';
import type { ContentDb } from '../../db/tables.ts';

/** What everyone may read at once; `max_entries` 0 = no limit. */
export const publicLimitSettings = defineSettings({
  name: 'public_limit',
  schema: Type.Object({ max_entries: Type.Integer({ minimum: 0 }) }),
  defaults: { max_entries: 0 },
});

/** The most entries of one list for anonymous callers; undefined = no limit. */
export type PublicLimit = Followed<number | undefined>;

export function followPublicLimit(db: ContentDb): PublicLimit {
  return new Followed(['settings'], async () => {
    const { max_entries: max } = await publicLimitSettings.read(db);
    return max === 0 ? undefined : max;
  });
}

/** A list is refused, never shortened: a client would take the part for the whole. */
export function tooManyForEveryone(max: number): Error {
  return invalid('_limit', `is needed: everyone may read at most ${max} entries at once`);
}
