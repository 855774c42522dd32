/** Sessions that may do little until their user has done something. */
import type { Actor, SessionActor } from '../base/actor.ts';
import { apiError } from '../base/errors.ts';
import { factorNeeded } from '../base/refusals/refusal.ts';

export type SessionLimit = keyof Pick<SessionActor, 'mustChangePassword' | 'lacksFactor' | 'awaitsFactor'>;

/** Below `/auth`: what needs no session at all, who somebody is, and the end of the session. */
const alwaysOpen = 'me|logout|login|status|passkeys|invitation|oidc';

/** @param more what is open besides, below `/auth` */
function open(more: string): string {
  return `^\\w+ /auth/(?:${alwaysOpen}|${more})(?:/|$)`;
}

const limits: Readonly<Record<SessionLimit, { readonly opens: RegExp; refuse(): Error }>> = {
  mustChangePassword: {
    opens: new RegExp(open('password')),
    refuse: () => apiError('auth.passwordChange', {}),
  },
  // To set up a factor needs a confirmation.
  lacksFactor: { opens: new RegExp(open('setup|factors|confirm')), refuse: factorNeeded },
  // A factor that is there is shown by a confirmation.
  awaitsFactor: {
    opens: new RegExp(`${open('setup')}|^GET /auth/factors$|^POST /auth/confirm$`),
    refuse: () => apiError('auth.confirm', {}),
  },
};

/**
 * Refuses what a session may not do yet.
 *
 * @param path of the request or of its route, below the API
 * @throws ApiError 403 `auth.passwordChange`, `auth.notAllowed`, `auth.confirm`
 */
export function refuseLimitedSession(
  actor: Actor,
  names: readonly SessionLimit[],
  { method, path }: { readonly method: string; readonly path: string },
): void {
  if (actor.kind !== 'session') return;
  for (const name of names)
    if (actor[name] === true && !limits[name].opens.test(`${method} ${path}`)) throw limits[name].refuse();
}
