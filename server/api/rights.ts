import type { Actor } from '../base/actor.ts';
import { notAllowed } from '../base/refusals/refusal.ts';
import { type Action, allows, allowsOnSome, type Grants } from '../base/rights.ts';
import { refuseLimitedSession } from './limited-sessions.ts';
import type { KindNeeds, Route } from './route.ts';

/** Actions that have no objects. */
const withoutObject: ReadonlySet<unknown> = new Set<Action>(['settings', 'users']);

/**
 * Checks what a route needs of its caller before anything is read of the request.
 *
 * @param path of the request below the API
 * @returns the caller, as handlers and changes see it
 * @throws ApiError 403 `auth.notAllowed`, `auth.confirm`
 */
export function admitRights(
  route: Pick<Route, 'method' | 'needs' | 'path'>,
  actor: Actor,
  path: string,
): Actor {
  const { needs } = route;
  const { grants } = actor;
  refuseLimitedSession(actor, ['lacksFactor', 'awaitsFactor'], route);
  if (grants === undefined || needs === 'nothing' || needs === 'objects') return actor;
  if (typeof needs === 'object') {
    // Whether an object is there, only those may learn who may read it. The change itself decides about others.
    if (!route.path.includes('{') || readsAll(grants, needs.kind)) requireOnKind(grants, needs, path);
  } else if (!allows(grants, needs)) throw notAllowed({ action: needs });
  return withoutObject.has(needs) ? { ...actor, isDecided: true } : actor;
}

/** Whether grants let all objects of a kind be read. */
function readsAll(grants: Grants, kind: string): boolean {
  return grants.some(
    ({ actions, on: { kinds, ...others } }) =>
      actions.includes('read') && (kinds?.includes(kind) ?? true) && Object.keys(others).length === 0,
  );
}

function requireOnKind(grants: Grants, { action, kind, hasCopy = false }: KindNeeds, path: string): void {
  if (allowsOnSome(grants, action, kind)) return;
  const id = /\/([1-9]\d{0,14})$/.exec(path)?.[1];
  const use = hasCopy && allowsOnSome(grants, 'edit', kind) ? `${path}/copy` : undefined;
  throw notAllowed({ action, kind, id: id === undefined ? undefined : Number(id), use });
}
