import { characterCount } from '../../../../runtime/filters/shared/values.ts';
import { bodyValidator } from '../../../api/validate.ts';
import type { Actor, SessionActor } from '../../../base/actor.ts';
import { apiError, invalid, requireText } from '../../../base/errors.ts';
import { trimName } from '../../../base/text.ts';
import type { Change, Changes } from '../../../changes/changes.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { Client } from '../../../http/client-address.ts';
import { parseRoleIds } from '../../roles/grant-resolver.ts';
import { everything } from '../../roles/grants.ts';
import { administratorRole, readGrants, requireCovered, requireRoles } from '../../roles/service.ts';
import {
  type Credentials,
  type PasswordChange,
  type Setup,
  type User,
  UserCreate,
  type UserDeletion,
  type UserUpdate,
} from '../model.ts';
import type { Passwords } from '../password.ts';
import { checkLength, type PasswordRules, weakPassword } from '../passwords/password-rules.ts';
import { attemptSecondStep, type SecondStepLocks } from '../second-step.ts';
import { hashToken, sameHash } from '../secret-hash.ts';
import { endOtherSessions, endSessionOfHash, openSession, type SessionPlace } from '../sessions/service.ts';
import { listTokensOf } from '../store.ts';
import { deleteInvitation } from './invitation-store.ts';
import { type PersonFields, parsePersonFields } from './user-fields.ts';
import * as store from './user-store.ts';

const maxUsernameCharacters = 64;

export interface UsersDeps extends SecondStepLocks {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly passwords: Passwords;
  readonly passwordRules: Pick<PasswordRules, 'check'>;
  /** Printed at the start. Setup from addresses that are not local requires this token. */
  readonly setupToken: string;
}

/** A user who has just signed in. `session` is the cookie's value; the database stores only its hash. */
export interface SignedInUser {
  readonly user: User;
  readonly session: string;
}

/** Whether there is no administrator yet. */
export async function isSetupRequired(db: ContentDb): Promise<boolean> {
  return (await store.countUsers(db)) === 0;
}

/**
 * POST /auth/setup: creates the first administrator and signs in.
 *
 * @throws ApiError `auth.setupDone`, `auth.setupToken`, and the errors of `createUser`
 */
export async function setUp(
  deps: UsersDeps,
  actor: Actor,
  client: Client,
  agent: string,
  body: Setup,
): Promise<SignedInUser> {
  if (!(await isSetupRequired(deps.reader))) throw apiError('auth.setupDone', {});
  if (!client.isLocal && !isSame(body.setup_token ?? '', deps.setupToken))
    throw apiError('auth.setupToken', {});
  const passwordHash = await hashNew(deps, body);
  return deps.changes.changeUnversioned(actor, async (change) => {
    if (!(await isSetupRequired(change.tx))) throw apiError('auth.setupDone', {});
    const user = await insertUser(change, body.username, passwordHash, [administratorRole]);
    return signIn(change, user, { address: client.address, agent });
  });
}

/** POST /auth/logout: the session ends on the server too. */
export async function logOut(deps: UsersDeps, actor: Actor): Promise<void> {
  if (actor.kind !== 'session') return;
  await deps.changes.changeUnversioned(actor, (change) => endSessionOfHash(change.tx, actor.sessionHash));
}

/**
 * POST /auth/password: ends all other sessions of the user.
 *
 * The right present password is its own confirmation. @throws ApiError `auth.invalidCredentials`,
 *   `auth.tooManyAttempts`, and those of `PasswordRules`
 */
export async function changePassword(
  deps: UsersDeps,
  actor: SessionActor,
  client: Client,
  body: PasswordChange,
): Promise<void> {
  checkLength(body.new_password);
  const check = async () => {
    const user = await store.findUser(deps.reader, actor.userId);
    return (await deps.passwords.verify(body.current_password, user?.password_hash)) ? user : undefined;
  };
  // A known password must not give new tries at codes.
  const confirmed = await attemptSecondStep(deps, client.key, actor.userId, check, true);
  if (body.new_password.normalize('NFC') === body.current_password.normalize('NFC'))
    throw weakPassword('unchanged');
  await deps.passwordRules.check(body.new_password, confirmed);
  const passwordHash = await deps.passwords.hash(body.new_password);
  await deps.changes.changeUnversioned(actor, async (change) => {
    // The password may have been changed meanwhile by somebody who shuts out the owner of this session.
    const user = await store.findUser(change.tx, actor.userId);
    if (user?.password_hash !== confirmed.password_hash) throw apiError('auth.invalidCredentials', {});
    await replacePassword(change, user.id, passwordHash, actor.sessionHash, { isOwnChoice: true });
  });
}

/** The user of a session. */
export async function getUser(db: ContentDb, id: number): Promise<User | undefined> {
  const user = await store.findUser(db, id);
  return user === undefined ? undefined : toUser(user);
}

/** @throws ApiError `common.notFound` */
export async function requireUser(db: ContentDb, id: number): Promise<store.StoredUser> {
  const user = await store.findUser(db, id);
  if (user === undefined) throw apiError('common.notFound', {});
  return user;
}

const checkUserCreate = bodyValidator(UserCreate);

/**
 * POST /users: a body with name and password alone makes an administrator, any other one a user with its `role_ids`.
 *
 * @throws ApiError `common.invalid`, `user.nameTaken`, those of `PasswordRules`, `auth.notAllowed` beyond the
 *   grants of the caller
 */
export async function createUser(
  deps: Pick<UsersDeps, 'changes' | 'passwords' | 'passwordRules'>,
  actor: Actor,
  sent: unknown,
): Promise<User> {
  // Type boundary: the validator has checked it.
  const body = checkUserCreate(sent) as UserCreate;
  const isPlain = Object.keys(Object(sent)).every((name) => name === 'username' || name === 'password');
  const roleIds = isPlain ? [administratorRole] : [...new Set(body.role_ids ?? [])];
  const person = parsePersonFields(body);
  const { username, password } = body;
  if (password === undefined && (person.email ?? '') === '')
    throw invalid('password', 'is required, unless there is an email to invite');
  checkUsername(username);
  const passwordHash =
    password === undefined ? noPassword : await hashNew(deps, { ...person, username, password });
  return deps.changes.changeUnversioned(actor, async (change) => {
    await requireRoles(change.tx, roleIds);
    await requireGivable(change, roleIds);
    return insertUser(change, username, passwordHash, roleIds, person);
  });
}

/** In place of a hash: nobody can sign in with a password. */
const noPassword = '';

/**
 * PUT /users/{id}: merges the fields.
 *
 * @throws ApiError `common.notFound`, `common.invalid`, `user.nameTaken`, 409 `auth.lastAdministrator`,
 *   `auth.notAllowed` beyond the grants of the caller
 */
export async function updateUser(change: Change, id: number, body: UserUpdate): Promise<User> {
  const { tx } = change;
  const before = await requireUser(tx, id);
  await requireBelow(change, before);
  const username = body.username === undefined ? before.username : checkUsername(body.username);
  const namesake = await store.findUserByName(tx, username);
  if (namesake !== undefined && namesake.id !== id) throw apiError('user.nameTaken', { username });
  const roleIds = body.role_ids === undefined ? parseRoleIds(before.role_ids) : [...new Set(body.role_ids)];
  await requireRoles(tx, roleIds);
  await requireGivable(change, roleIds, id);
  const { must_change_password: mustChange, ...person } = parsePersonFields(body);
  const after = {
    ...{ ...before, ...person, username, role_ids: JSON.stringify(roleIds) },
    must_change_password: mustChange === undefined ? before.must_change_password : Number(mustChange),
  };
  await store.saveUser(tx, id, after);
  await requireAdministrator(tx, before);
  return toUser(after);
}

/** Gives a user other roles. @throws ApiError 409 `auth.lastAdministrator` */
export async function setRoles(change: Change, id: number, roleIds: readonly number[]): Promise<void> {
  const before = await requireUser(change.tx, id);
  await store.saveUser(change.tx, id, { ...before, role_ids: JSON.stringify(roleIds) });
  await requireAdministrator(change.tx, before);
}

/** @throws ApiError 403 `auth.notAllowed` if roles give more than the caller has */
async function requireGivable(change: Change, roleIds: readonly number[], id?: number): Promise<void> {
  const grants = (await readGrants(change.tx, roleIds)) ?? everything;
  await requireCovered(change, grants, {
    kind: 'user',
    ...(id === undefined ? {} : { id }),
    field: 'role_ids',
  });
}

/**
 * Checks that a user has no more rights than the caller, who is to change how they sign in or what they may do.
 *
 * @throws ApiError 403 `auth.notAllowed`
 */
export async function requireBelow(
  change: Pick<Change, 'tx' | 'actor'>,
  { id, role_ids }: Pick<store.StoredUser, 'id' | 'role_ids'>,
): Promise<void> {
  if (change.actor.grants === undefined) return;
  const grants = (await readGrants(change.tx, parseRoleIds(role_ids))) ?? everything;
  await requireCovered(change, grants, { kind: 'user', id });
}

/**
 * To be called when a user has lost what they had.
 *
 * @throws ApiError 409 `auth.lastAdministrator` if they were the last administrator
 */
async function requireAdministrator(
  tx: ContentDb,
  before: Pick<store.StoredUser, 'role_ids'>,
): Promise<void> {
  if (!parseRoleIds(before.role_ids).includes(administratorRole)) return;
  if ((await store.countUsersWithRole(tx, administratorRole)) === 0)
    throw apiError('auth.lastAdministrator', {});
}

/**
 * PUT /users/{id}/password: ends all sessions of the user except the session that sends the request.
 *
 * @throws ApiError `common.notFound`, those of `PasswordRules`, `auth.notAllowed` for a user with more rights than
 *   the caller
 */
export async function setPassword(
  deps: UsersDeps,
  actor: SessionActor,
  userId: number,
  password: string,
): Promise<void> {
  const user = await requireUser(deps.reader, userId);
  await requireBelow({ tx: deps.reader, actor }, user);
  await deps.passwordRules.check(password, user);
  const passwordHash = await deps.passwords.hash(password);
  await deps.changes.changeUnversioned(actor, async (change) => {
    await requireBelow(change, await requireUser(change.tx, userId));
    await replacePassword(change, userId, passwordHash, actor.sessionHash);
  });
}

/**
 * Sets a password, and ends the invitation and all sessions of the user except one.
 *
 * @param exceptSession its hash, or empty
 * @param isOwnChoice whether the user has chosen it, as `must_change_password` demands
 */
export async function replacePassword(
  change: Change,
  userId: number,
  passwordHash: string,
  exceptSession: string,
  { isOwnChoice }: { readonly isOwnChoice: boolean } = { isOwnChoice: false },
): Promise<void> {
  await store.savePassword(change.tx, userId, passwordHash);
  if (isOwnChoice) await store.saveMustChange(change.tx, userId, 0);
  await deleteInvitation(change.tx, userId);
  await endOtherSessions(change.tx, userId, exceptSession);
}

/**
 * DELETE /users/{id}: also ends the user's sessions and tokens.
 *
 * @returns what goes with the user
 * @throws ApiError `common.notFound`, 409 `auth.lastAdministrator`, `auth.notAllowed` for a user with more rights than
 *   the caller
 */
export async function deleteUser(change: Change, id: number): Promise<UserDeletion> {
  const user = await requireUser(change.tx, id);
  await requireBelow(change, user);
  const tokens = await listTokensOf(change.tx, id);
  await store.deleteUser(change.tx, id);
  await requireAdministrator(change.tx, user);
  return { tokens };
}

async function hashNew(
  { passwords, passwordRules }: Pick<UsersDeps, 'passwords' | 'passwordRules'>,
  { username: sent, password, ...person }: Credentials & Partial<PersonFields>,
): Promise<string> {
  const username = checkUsername(sent);
  await passwordRules.check(password, { ...person, username });
  return passwords.hash(password);
}

/** The name as it is stored. @throws ApiError `common.invalid` */
function checkUsername(sent: string): string {
  const username = trimName(sent);
  requireText('username', username);
  if (characterCount(username) > maxUsernameCharacters)
    throw invalid('username', `must not have more than ${maxUsernameCharacters} characters`);
  if (/\p{Cc}/u.test(sent)) throw invalid('username', 'must not contain control characters');
  return username;
}

/** @param passwordHash empty for a user without a password @throws ApiError `user.nameTaken` */
export async function insertUser(
  change: Change,
  name: string,
  passwordHash: string,
  roleIds: readonly number[],
  { email = '', name: fullName = '', must_change_password = false }: Partial<PersonFields> = {},
): Promise<User> {
  const username = trimName(name);
  if ((await store.findUserByName(change.tx, username)) !== undefined)
    throw apiError('user.nameTaken', { username });
  const id = await store.insertUser(change.tx, {
    username,
    passwordHash,
    createdAt: change.now,
    roleIds: JSON.stringify(roleIds),
    ...{ email, name: fullName, mustChangePassword: Number(must_change_password) },
  });
  return {
    ...{ id, username, created_at: change.now, last_login_at: null, role_ids: [...roleIds] },
    ...{ email, name: fullName, must_change_password },
  };
}

/** Opens a session of a user. @param isWhole whether the user has shown all their factors */
export async function signIn(
  change: Change,
  user: User | store.StoredUser,
  place: SessionPlace,
  isWhole = true,
): Promise<SignedInUser> {
  const session = await openSession(change, user.id, place, isWhole);
  await store.saveLogin(change.tx, user.id, change.now);
  return { user: toUser({ ...user, last_login_at: change.now }), session };
}

export function toUser(user: User | store.StoredUser): User {
  const { id, username, created_at, last_login_at, role_ids, email, name, must_change_password } = user;
  return {
    ...{ id, username, created_at, last_login_at, email, name },
    role_ids: typeof role_ids === 'string' ? parseRoleIds(role_ids) : role_ids,
    must_change_password: Boolean(must_change_password),
  };
}

function isSame(left: string, right: string): boolean {
  return sameHash(hashToken(left), hashToken(right));
}
