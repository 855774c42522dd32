import type { Actor } from '../../base/actor.ts';
import { withoutReadLimits } from '../../base/content-overlay.ts';
import { allows, allowsOnSome, type Grants } from '../../base/rights.ts';
import { placeObject } from '../../content/kinds/decide.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import type { ContentDb } from '../../db/tables.ts';
import { everything } from './grants.ts';
import { ownRights } from './known-kinds.ts';
import type { CanRequest } from './model.ts';

/** What a caller may do, written as grants. */
export function listGrants(actor: Actor): Grants {
  const { grants = everything } = actor;
  if (actor.kind !== 'token' || actor.canWrite) return grants;
  const reading = grants.filter(({ actions }) => actions.includes('read'));
  return reading.map(({ on }) => ({ actions: ['read'], on }));
}

/** POST /auth/can: a bool for each question. */
export async function answerChecks(
  db: ContentDb,
  kinds: KindsByName,
  actor: Actor,
  checks: CanRequest['checks'],
): Promise<boolean[]> {
  const grants = listGrants(actor);
  // A right to edit may come without one to read.
  return withoutReadLimits(async () => {
    const answers: boolean[] = [];
    for (const check of checks) answers.push(await isAllowed(db, kinds, grants, check));
    return answers;
  });
}

async function isAllowed(
  db: ContentDb,
  kinds: KindsByName,
  grants: Grants,
  { action, kind, id }: CanRequest['checks'][number],
): Promise<boolean> {
  const ownRight = ownRights.get(kind);
  if (ownRight !== undefined) return allows(grants, ownRight);
  if (action === 'settings' || action === 'users') return allows(grants, action);
  if (id === undefined) return allowsOnSome(grants, action, kind);
  const declared = kinds.get(kind);
  const state = await declared?.find(db, id);
  if (declared === undefined || state === undefined) return false;
  return allows(grants, action, await placeObject(declared, db, state));
}
