import Type from 'typebox';
import { Reply } from '../../api/reply.ts';
import { defineRoute, type Route } from '../../api/route.ts';
import type { VersionNotice } from '../../api/version-notice.ts';
import type { Actor } from '../../base/actor.ts';
import { requireSession } from '../../base/refusals/confirmation.ts';
import { IdParams } from '../../content/common-fields.ts';
import { reviewSettings } from '../../content/kinds/review-settings.ts';
import type { SharedServices } from '../../feature.ts';
import type { Scheme } from '../../http/origin.ts';
import { listGrants } from '../roles/checks.ts';
import { parseRoleIds } from '../roles/grant-resolver.ts';
import { listRoles } from '../roles/service.ts';
import type { AdminGate } from './admin-gate.ts';
import { endedCookie, type IsSecure, sessionCookie } from './cookie.ts';
import { describeUser, listUsers } from './factors/users-with-factors.ts';
import {
  AuthStatus,
  Me,
  NewPassword,
  PasswordChange,
  Setup,
  SignedIn,
  Token,
  TokenCreate,
  TokenCreated,
  User,
  UserCreate,
  UserDeletion,
  UserUpdate,
} from './model.ts';
import { isOidcSetUp, readOidc } from './oidc/settings.ts';
import { findTokenById } from './store.ts';
import * as tokens from './tokens.ts';
import type { SignedInUser, UsersDeps } from './users/users.ts';
import * as users from './users/users.ts';

export interface AuthRoutesDeps extends UsersDeps, Pick<SharedServices, 'activity'> {
  readonly isSecure: IsSecure;
  readonly version: VersionNotice;
  readonly gate: AdminGate;
  /** Last uses of tokens that are not written yet: Unix seconds by token id. */
  readonly tokenUses: ReadonlyMap<number, number>;
  /** The connection that a session has selected; undefined if it does not exist. */
  findRemote(id: number): Promise<AuthStatus['remote']>;
}

/** Signing in, users and tokens (Core, "Authentication"). */
export function authRoutes(deps: AuthRoutesDeps): Route[] {
  return [...accountRoutes(deps), ...userRoutes(deps), ...tokenRoutes(deps)];
}

const passwordErrors = ['auth.passwordTooShort', 'auth.passwordTooLong', 'auth.passwordWeak'] as const;

function accountRoutes(deps: AuthRoutesDeps): Route[] {
  const { isSecure } = deps;
  const signedIn = ({ user, session }: SignedInUser, scheme: Scheme): Reply =>
    Reply.json({ user }, { headers: [sessionCookie(session, isSecure(scheme))] });
  return [
    defineRoute({
      method: 'GET',
      path: '/auth/status',
      access: 'public',
      needs: 'nothing',
      summary: 'Who is calling, and whether the first administrator is still to be created',
      response: AuthStatus,
      handle: ({ actor }) => statusOf(deps, actor),
    }),
    defineRoute({
      method: 'GET',
      path: '/auth/me',
      access: 'read',
      needs: 'nothing',
      summary: 'Who is calling, and what they may do',
      response: Me,
      handle: ({ actor }) => describeCaller(deps.reader, actor),
    }),
    defineRoute({
      method: 'POST',
      path: '/auth/setup',
      access: 'public',
      needs: 'nothing',
      summary: 'Create the first administrator and sign in',
      body: Setup,
      response: SignedIn,
      status: 201,
      errors: ['auth.setupDone', 'auth.setupToken', ...passwordErrors, 'common.busy'],
      handle: async ({ actor, client, agent, scheme, body }) =>
        signedIn(await users.setUp(deps, actor, client, agent, body), scheme),
    }),
    defineRoute({
      method: 'POST',
      path: '/auth/logout',
      access: 'public',
      needs: 'nothing',
      summary: 'End the session',
      errors: ['auth.csrf', 'common.busy'],
      async handle({ actor, scheme }) {
        await users.logOut(deps, actor);
        return Reply.empty({ headers: [endedCookie(isSecure(scheme))] });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/auth/password',
      access: 'admin',
      needs: 'nothing',
      summary: "Change one's own password",
      body: PasswordChange,
      errors: ['auth.invalidCredentials', 'auth.tooManyAttempts', ...passwordErrors, 'common.busy'],
      handle: ({ actor, client, body }) => users.changePassword(deps, requireSession(actor), client, body),
    }),
  ];
}

function userRoutes(deps: AuthRoutesDeps): Route[] {
  const { reader, changes } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/users',
      access: 'admin',
      needs: 'users',
      summary: 'List the users',
      response: Type.Array(User),
      handle: () => listUsers(reader),
    }),
    defineRoute({
      method: 'POST',
      path: '/users',
      access: 'admin',
      needs: 'users',
      isSensitive: true,
      summary: 'Create a user',
      body: UserCreate,
      // Any field besides name and password makes a difference.
      takesAnyBody: true,
      response: User,
      status: 201,
      errors: ['auth.notAllowed', 'user.nameTaken', ...passwordErrors, 'common.busy'],
      handle: ({ actor, body }) => users.createUser(deps, actor, body),
    }),
    defineRoute({
      method: 'GET',
      path: '/users/{id}',
      access: 'admin',
      needs: 'users',
      summary: 'Get a user',
      params: IdParams,
      response: User,
      handle: ({ params }) => describeUser(reader, params.id),
    }),
    defineRoute({
      method: 'PUT',
      path: '/users/{id}',
      access: 'admin',
      needs: 'users',
      isSensitive: true,
      summary: 'Change fields of a user',
      params: IdParams,
      body: UserUpdate,
      response: User,
      errors: ['auth.notAllowed', 'auth.lastAdministrator', 'user.nameTaken', 'common.busy'],
      handle: ({ actor, params, body }) =>
        changes.changeUnversioned(actor, (change) => users.updateUser(change, params.id, body)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/users/{id}/password',
      access: 'admin',
      needs: 'users',
      isSensitive: true,
      summary: 'Set the password of a user',
      params: IdParams,
      body: NewPassword,
      errors: ['auth.notAllowed', ...passwordErrors, 'common.busy'],
      handle: ({ actor, params, body }) =>
        users.setPassword(deps, requireSession(actor), params.id, body.password),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/users/{id}',
      access: 'admin',
      needs: 'users',
      isSensitive: true,
      summary: 'Delete a user, whose sessions and tokens end',
      params: IdParams,
      query: DryRunQuery,
      response: UserDeletion,
      otherStatus: 204,
      errors: ['auth.notAllowed', 'auth.lastAdministrator', 'common.busy'],
      async handle({ actor, params: { id }, query: { dry_run: isDry = false } }) {
        const deletion = await changes.changeUnversioned(actor, (change) =>
          isDry ? change.rehearse((inner) => users.deleteUser(inner, id)) : users.deleteUser(change, id),
        );
        return isDry ? deletion : Reply.empty();
      },
    }),
  ];
}

const DryRunQuery = Type.Object({
  dry_run: Type.Optional(Type.Boolean({ description: 'Only say what would go with the user.' })),
});

function tokenRoutes({ reader, activity, tokenUses, changes }: AuthRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/tokens',
      access: 'admin',
      needs: 'users',
      summary: 'List the API tokens',
      response: Type.Array(Token),
      handle: () => tokens.listTokens(reader, activity.reader, tokenUses),
    }),
    defineRoute({
      method: 'POST',
      path: '/tokens',
      access: 'admin',
      needs: 'users',
      isSensitive: true,
      summary: 'Create an API token',
      body: TokenCreate,
      response: TokenCreated,
      status: 201,
      errors: ['auth.notAllowed', 'common.busy'],
      handle: ({ actor, body }) =>
        changes.changeUnversioned(actor, (change) => tokens.createToken(change, body)),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/tokens/{id}',
      access: 'admin',
      needs: 'users',
      isSensitive: true,
      summary: 'Revoke an API token',
      params: IdParams,
      errors: ['common.busy'],
      handle: ({ actor, params }) =>
        changes.changeUnversioned(actor, (change) => tokens.deleteToken(change, params.id)),
    }),
  ];
}

/** GET /auth/me */
async function describeCaller(reader: AuthRoutesDeps['reader'], actor: Actor): Promise<Me> {
  const user = actor.kind === 'session' ? await users.getUser(reader, actor.userId) : undefined;
  const token = actor.kind === 'token' ? await findTokenById(reader, actor.id) : undefined;
  const roleIds = user?.role_ids ?? parseRoleIds(token?.role_ids ?? '[]');
  const roles = (await listRoles(reader)).filter(({ id }) => roleIds.includes(id));
  const grants = listGrants(actor).map(({ actions, on }) => ({ actions: [...actions], on }));
  const base = { user: user ?? null, roles, grants };
  if (user === undefined) return base;
  const { live_saves } = await reviewSettings.read(reader);
  return { ...base, live_saves };
}

async function statusOf(
  { reader, gate, version, findRemote }: AuthRoutesDeps,
  actor: Actor,
): Promise<AuthStatus> {
  const remoteId = actor.kind === 'session' ? actor.remoteId : undefined;
  const remote = remoteId === undefined ? undefined : await findRemote(remoteId);
  const user = actor.kind === 'session' ? await users.getUser(reader, actor.userId) : undefined;
  return {
    setup_required: await users.isSetupRequired(reader),
    authenticated: actor.kind !== 'none',
    user: user ?? null,
    headless: gate.headless,
    version: version.shownTo(actor),
    ...(isOidcSetUp(await readOidc(reader)) ? { oidc: true } : {}),
    ...(remote === undefined ? {} : { remote }),
  };
}
