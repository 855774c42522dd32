import { randomBytes } from 'node:crypto';
import { Reply } from '../../api/reply.ts';
import type { Route } from '../../api/route.ts';
import type { VersionNotice } from '../../api/version-notice.ts';
import type { Follower } from '../../changes/followers.ts';
import { usesSecureCookies } from '../../config/config.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import type { Scheme } from '../../http/origin.ts';
import type { GrantResolver } from '../roles/grant-resolver.ts';
import type { AdminGate } from './admin-gate.ts';
import { type IsSecure, sessionCookie } from './cookie.ts';
import { AuthEvents } from './events/auth-events.ts';
import { recordEvents } from './events/recording.ts';
import { factorRoutes } from './factors/routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import type { InvitationDeps } from './invitations/service.ts';
import { Lockout } from './lockout.ts';
import { oidcRoutes } from './oidc/routes.ts';
import { Passwords } from './password.ts';
import { PasswordRules } from './passwords/password-rules.ts';
import { type AuthRoutesDeps, authRoutes } from './routes.ts';
import { maxSecondStepFailures } from './second-step.ts';
import { Auth } from './service.ts';
import { LiveSessions } from './sessions/live-sessions.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { sharedFailures } from './shared-failures.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { findUser } from './users/user-store.ts';
import type { SignedInUser } from './users/users.ts';

/** Signing in, users and tokens (Core, "Authentication"). */
export interface AuthFeature extends Feature {
  readonly auth: Auth;
  readonly passwords: Passwords;
  readonly events: AuthEvents;
  /** Setup from addresses that are not local requires this token. */
  readonly setupToken: string;
  /** All routes of the server; those that change somebody's access record it in the returned list. */
  recordEvents(routes: readonly Route[]): Route[];
}

interface AuthFeatureDeps extends Pick<AuthRoutesDeps, 'findRemote'>, Pick<InvitationDeps, 'mail'> {
  readonly roles: GrantResolver;
}

const about = {
  auth: 'Signing in and out.',
  users: 'People who can sign in.',
  tokens: 'API tokens.',
} as const;

export function authFeature(
  parts: SharedServices,
  gate: AdminGate,
  version: VersionNotice,
  { findRemote, roles, mail }: AuthFeatureDeps,
): AuthFeature {
  const { config, reader, activity, clock, monotonic, log, nodeState } = parts;
  const { masterToken } = config;
  const sessions = new LiveSessions({ ...parts, isShared: nodeState !== undefined });
  const isSecure: IsSecure = (scheme) => scheme === 'https' || usesSecureCookies(config);
  const auth = new Auth({ reader, activity, masterToken, gate, sessions, isSecure, clock, log, roles });
  const passwords = new Passwords();
  const setupToken = randomBytes(18).toString('base64url');
  const shared = nodeState === undefined ? undefined : sharedFailures(activity, clock);
  const lockout = new Lockout({ monotonic, shared });
  const userLockout = new Lockout({ monotonic, shared, maxFailures: maxSecondStepFailures });
  const findName = async (id: number) => (await findUser(reader, id))?.username ?? '';
  const events = new AuthEvents({ reader, activity, clock, log });
  const deps = {
    ...parts,
    sessions,
    isSecure,
    passwords,
    passwordRules: new PasswordRules(parts),
    lockout,
    userLockout,
    gate,
    version,
    findRemote,
    setupToken,
    tokenUses: auth.tokenUses,
    mail,
  };
  const signedIn = ({ user, session }: SignedInUser, scheme: Scheme): Reply =>
    Reply.json({ user }, { headers: [sessionCookie(session, isSecure(scheme))] });
  const routes = [
    ...authRoutes(deps),
    ...signInRoutes(deps),
    ...factorRoutes(deps),
    ...sessionRoutes(deps),
    ...invitationRoutes(deps, signedIn),
    ...oidcRoutes(deps),
  ];
  const followers: readonly Follower[] = [
    { of: ['tokens', 'users', 'roles', 'factors'], refresh: () => auth.forgetTokens() },
    { of: ['pages', 'collections'], refresh: () => auth.forgetPlaces() },
    sessions.follower,
  ];
  return {
    ...{ routes, about, followers, auth, passwords, events, setupToken },
    recordEvents: (all) => recordEvents(all, { events, lockout, userLockout, findName }),
    close: () => auth.close(),
  };
}
