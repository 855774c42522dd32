import type { Actor } from '../base/actor.ts';
import { apiError } from '../base/errors.ts';

/** What a user reaches who must choose another password first, and what needs no session at all. */
const stillOpen = new Set(
  [
    ...['me', 'password', 'logout', 'status', 'login', 'passkeys', 'passkeys/options', 'invitation'],
    ...['oidc/start', 'oidc/callback'],
  ].map((name) => `/auth/${name}`),
);

/**
 * Refuses a session whose user must choose another password first (`must_change_password`).
 *
 * @param path of the request below the API
 * @throws ApiError 403 `auth.passwordChange`
 */
export function refuseUntilPasswordChange(actor: Actor, path: string): void {
  if (actor.kind !== 'session' || actor.mustChangePassword !== true) return;
  if (!stillOpen.has(path.replace(/\/$/, ''))) throw apiError('auth.passwordChange', {});
}
