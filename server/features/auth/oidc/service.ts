import type { Actor } from '../../../base/actor.ts';
import { apiError } from '../../../base/errors.ts';
import { nameKey } from '../../../base/text.ts';
import type { Change } from '../../../changes/changes.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { listRoles } from '../../roles/service.ts';
import { hasFactor } from '../factors/service.ts';
import { endSessionOfHash, type SessionPlace } from '../sessions/service.ts';
import { findUserByName } from '../users/user-store.ts';
import { insertUser, requireUser, type SignedInUser, setRoles, signIn } from '../users/users.ts';
import type { StoredOidc } from './model.ts';
import type { Identity } from './oidc-provider.ts';
import { findAccountUser, insertAccount } from './store.ts';

/**
 * Signs in whom the provider has identified. An account belongs to a user by `iss` and `sub` alone. The session of a user
 * with factors of this instance waits for one of them.
 *
 * @throws ApiError 403 `auth.oidcUnknown`, `auth.oidcEmailUnverified`, 409 `auth.lastAdministrator`
 */
export async function signInIdentity(
  change: Change,
  actor: Actor,
  place: SessionPlace,
  identity: Identity,
  settings: StoredOidc,
): Promise<SignedInUser> {
  const { tx } = change;
  const { iss, sub } = identity;
  const known = await findAccountUser(tx, iss, sub);
  const id = known ?? (await createAccount(change, identity, settings));
  if (known !== undefined && settings.groups_claim !== '')
    await setRoles(change, known, await mapRoles(tx, identity, settings));
  if (actor.kind === 'session') await endSessionOfHash(tx, actor.sessionHash);
  // The provider takes the place of the password only.
  const isWhole = !(await hasFactor(tx, id));
  return signIn(change, await requireUser(tx, id), place, isWhole);
}

async function createAccount(change: Change, identity: Identity, settings: StoredOidc): Promise<number> {
  const { iss, sub, claims } = identity;
  if (!settings.create_users) throw apiError('auth.oidcUnknown', {});
  const email = readText(claims, 'email');
  if (claims['email_verified'] !== true || email === '') throw apiError('auth.oidcEmailUnverified', {});
  const wanted = readText(claims, 'preferred_username') || email;
  const username = await findFreeName(change.tx, wanted.replaceAll(/\p{Cc}/gu, '').slice(0, maxName));
  const roleIds = await mapRoles(change.tx, identity, settings);
  const name = readText(claims, 'name')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, maxFullName);
  const user = await insertUser(change, username, '', roleIds, { email, name });
  await insertAccount(change.tx, { iss, sub, user_id: user.id });
  return user.id;
}

/** Leaves room for a number at the end of a username. */
const maxName = 58;
const maxFullName = 200;

/** Names of users are unique, and the provider knows nothing of those here. */
async function findFreeName(db: ContentDb, wanted: string): Promise<string> {
  const base = nameKey(wanted) === '' ? 'user' : wanted;
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if ((await findUserByName(db, name)) === undefined) return name;
  }
}

/** The roles that the groups of somebody are mapped to, without those that are gone. */
async function mapRoles(
  db: ContentDb,
  { claims }: Identity,
  { groups_claim: claim, groups }: StoredOidc,
): Promise<number[]> {
  const sent = claim === '' ? [] : claims[claim];
  const names: unknown[] = Array.isArray(sent) ? sent : [sent];
  const mapped = names.flatMap((name) =>
    typeof name === 'string' && Object.hasOwn(groups, name) ? (groups[name] ?? []) : [],
  );
  const existing = new Set((await listRoles(db)).map(({ id }) => id));
  return [...new Set(mapped)].filter((id) => existing.has(id));
}

function readText(claims: Identity['claims'], name: string): string {
  const value = claims[name];
  return typeof value === 'string' ? value.trim() : '';
}
