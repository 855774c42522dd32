/** Objects that are taken as they are, though a save would refuse them. */
import { leveled, type Warning } from '../../base/warnings.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Kind, ObjectState } from './kind.ts';

/** The warning about objects that were taken as they are; none if no rule is broken. */
export function warnOfTaken(count: number): Warning[] {
  if (count === 0) return [];
  const error =
    count === 1
      ? 'One entry breaks rules of its fields; it was taken as it is'
      : `${count} entries break rules of their fields; they were taken as they are`;
  return [leveled({ code: 'item.breaksRule', error, params: { count } })];
}

/** The warning about one object that was taken as it is. */
export async function warnOfTakenObject<State extends ObjectState>(
  kind: Pick<Kind<State>, 'breaksRules'>,
  db: ContentDb,
  state: State,
): Promise<Warning[]> {
  return warnOfTaken((await kind.breaksRules?.(db, state)) === true ? 1 : 0);
}
