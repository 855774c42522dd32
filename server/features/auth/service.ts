import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../api/api-response-cache.ts';
import { type CredentialRequest, findBearer, findToken, isReading } from '../../api/credential.ts';
import type { Route } from '../../api/route.ts';
import type { Actor, SessionActor } from '../../base/actor.ts';
import { type Clock, unixSeconds } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Grants } from '../../base/rights.ts';
import type { ActivityStore } from '../../db/activity.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { ApiRequest } from '../../http/api-exchange.ts';
import type { Origin } from '../../http/origin.ts';
import type { GrantResolver } from '../roles/grant-resolver.ts';
import { intersectGrants } from '../roles/grants.ts';
import type { AdminGate } from './admin-gate.ts';
import { hasSessionCookie, type IsSecure, readRemoteCookie, readSessionCookie } from './cookie.ts';
import { hasFactor } from './factors/service.ts';
import { LastUses } from './last-uses.ts';
import { readOnBehalfOf } from './on-behalf.ts';
import { type OpenerRights, readRowOpener, readSessionOpener } from './openers.ts';
import { hashToken, sameHash } from './secret-hash.ts';
import type { LiveSessions } from './sessions/live-sessions.ts';
import { waitsForFactor } from './sessions/service.ts';
import type { UserSession } from './sessions/store.ts';
import { type FoundToken, findTokenByHash, findTokenById, saveTokenUse } from './store.ts';
import { findUser } from './users/user-store.ts';

export { hashToken, sameHash };

const maxKnownTokens = 1000;

export interface AuthOptions {
  readonly reader: ContentDb;
  readonly activity: Pick<ActivityStore, 'write'>;
  readonly masterToken: string | undefined;
  readonly gate: AdminGate;
  readonly sessions: LiveSessions;
  readonly isSecure: IsSecure;
  readonly clock: Clock;
  readonly log: Log;
  readonly roles: GrantResolver;
}

/** A valid token that was read. */
interface KnownToken {
  readonly actor: Actor & { readonly kind: 'token' };
  /** Unix seconds; null for one that does not end by itself. */
  readonly expiresAt: number | null;
  /** Whether its grants hold only as long as pages and collections keep their places and slugs. */
  readonly dependsOnContent: boolean;
}

/** What a session may do at most, as its actor says it. */
type SessionLimits = Pick<SessionActor, 'grants' | 'mustChangePassword' | 'lacksFactor' | 'awaitsFactor'>;

const nobody: Actor = Object.freeze({ kind: 'none' });

/** How a request was sent, as far as it is known. */
type SessionOrigin = Pick<Origin, 'host'> & Partial<Pick<Origin, 'scheme'>>;

/** Finds the caller of a request. */
export class Auth {
  readonly #options: AuthOptions;
  readonly #masterHash: string | undefined;
  readonly #uses: LastUses<number>;
  /** The last tokens that were valid, by their hash. Cleared when one of them, or what it may do, may have changed. */
  readonly #tokens = new LRUCache<string, KnownToken>({ max: maxKnownTokens });
  #timesForgotten = 0;

  constructor(options: AuthOptions) {
    this.#options = options;
    this.#masterHash = options.masterToken === undefined ? undefined : hashToken(options.masterToken);
    const { activity, clock, log } = options;
    this.#uses = new LastUses({ activity, clock, log, save: saveTokenUse });
  }

  /**
   * The caller of a request (Core, "Authentication"). Only one credential counts: the bearer header, else
   * `?token=` (only for GET and HEAD), else the session cookie. An invalid credential makes the caller
   * anonymous.
   */
  authenticate(request: CredentialRequest, query: URLSearchParams): Actor | Promise<Actor> {
    const secret = findToken(request, query);
    if (secret === undefined) {
      const cookie = request.headers.get('cookie') ?? '';
      return hasSessionCookie(cookie) ? this.sessionOf(cookie, request) : nobody;
    }
    const hash = hashToken(secret);
    if (this.#isMaster(hash)) return { kind: 'master' };
    return this.#tokenActor(hash);
  }

  /**
   * Implements `ApiAuth`: a token that was used before and is limited by no role, or no credential. What others get
   * depends on their rights.
   */
  callerAtOnce(authorization: string, cookie: string): Caller | undefined {
    if (authorization === '') return hasSessionCookie(cookie) ? undefined : 'anyone';
    const secret = findBearer(authorization);
    if (secret === undefined) return undefined;
    const hash = hashToken(secret);
    if (this.#isMaster(hash)) return 'known';
    const known = this.#findKnown(hash);
    if (known === undefined || known.actor.grants !== undefined) return undefined;
    this.#uses.note(known.actor.id);
    return 'known';
  }

  /** What a user or token may do now; undefined if there is none any more. */
  async findRights(of: {
    readonly kind: 'session' | 'token';
    readonly id: number;
  }): Promise<{ readonly grants: Grants | undefined } | undefined> {
    if (of.kind === 'session') {
      const user = await findUser(this.#options.reader, of.id);
      return user && { grants: await this.#grantsOfUser(user.id, user.role_ids) };
    }
    const token = await this.#findLiveToken(of.id);
    if (token === undefined) return undefined;
    const { grants } = await this.#grantsOf(token);
    const isReader = token.role_ids === null && token.can_write === 0;
    return { grants: isReader ? [] : grants };
  }

  /** Implements `FindOpener` for callers. The gate of the admin does not matter: a session behind it has not ended. */
  async findOpener(opener: string): Promise<OpenerRights | undefined> {
    if (opener === '') return { grants: undefined };
    const tokenId = readRowOpener(opener, 'token');
    const token = tokenId === undefined ? undefined : await this.#findLiveToken(tokenId);
    if (token !== undefined) return { grants: (await this.#grantsOf(token)).grants };
    const start = readSessionOpener(opener);
    const session = start === undefined ? undefined : await this.#options.sessions.findByStart(start);
    return session && { grants: (await this.#limitsOf(session)).grants };
  }

  /** To be called when a token, its owner or a role may have changed. */
  forgetTokens(): void {
    this.#tokens.clear();
    this.#timesForgotten++;
  }

  /** To be called when pages or collections have changed. */
  forgetPlaces(): void {
    for (const [hash, { dependsOnContent }] of this.#tokens.entries())
      if (dependsOnContent) this.#tokens.delete(hash);
    this.#timesForgotten++;
  }

  /**
   * Adds to a token actor the person that a writing request names (Data, Automation and Operations, "Batch",
   * rule 7).
   *
   * @throws ApiError `batch.onBehalfTooLong`
   */
  attribute(actor: Actor, request: ApiRequest): Actor {
    if ((actor.kind !== 'token' && actor.kind !== 'master') || isReading(request)) return actor;
    const header = request.headers.get('x-ic-on-behalf-of');
    const onBehalfOf = header === undefined ? undefined : readOnBehalfOf(header);
    return onBehalfOf === undefined ? actor : { ...actor, onBehalfOf };
  }

  /**
   * The caller that a session cookie stands for on this host; anonymous where the admin is closed.
   *
   * @param origin how the request was sent; without a scheme cookies of both names count
   */
  async sessionOf(cookieHeader: string, { host, scheme }: SessionOrigin): Promise<Actor> {
    const { gate, sessions, isSecure } = this.#options;
    if (!gate.isOpenOn(host)) return { kind: 'none' };
    const value = readSessionCookie(cookieHeader, scheme === undefined ? undefined : isSecure(scheme));
    if (value === undefined) return { kind: 'none' };
    const sessionHash = hashToken(value);
    const session = await sessions.find(sessionHash);
    if (session === undefined) return { kind: 'none' };
    sessions.noteUse(sessionHash);
    const { user_id: userId, username: name, confirmed_until: confirmedUntil } = session;
    const limits = await this.#limitsOf(session);
    const remoteId = readRemoteCookie(cookieHeader);
    // Another instance would not know that the session is limited.
    const { mustChangePassword, lacksFactor, awaitsFactor } = limits;
    const isLimited = (mustChangePassword ?? lacksFactor ?? awaitsFactor) === true;
    const remote = remoteId === undefined || isLimited ? {} : { remoteId };
    return { kind: 'session', userId, name, sessionHash, confirmedUntil, ...remote, ...limits };
  }

  /** Implements `ApiAuth`: whether the credential still stands, and its roles give what they gave. */
  async isStillValid(actor: Actor): Promise<boolean> {
    const { gate, sessions } = this.#options;
    if (actor.kind === 'token') {
      const token = await this.#findLiveToken(actor.id);
      return token !== undefined && isDeepStrictEqual((await this.#grantsOf(token)).grants, actor.grants);
    }
    if (actor.kind !== 'session') return true;
    const session = gate.isOpen ? await sessions.find(actor.sessionHash) : undefined;
    return session !== undefined && isDeepStrictEqual((await this.#limitsOf(session)).grants, actor.grants);
  }

  /** Whether a route exists for requests to this host. A closed admin has no routes. */
  isReachable({ access, path }: Route, host: string): boolean {
    const { gate } = this.#options;
    if (path.startsWith('/auth/')) return gate.isOpenOn(host);
    return access !== 'admin' || gate.isOpen;
  }

  /** Last uses of tokens that are not written yet: Unix seconds by token id. */
  get tokenUses(): ReadonlyMap<number, number> {
    return this.#uses.unwritten;
  }

  /** Writes the collected uses of tokens and sessions and stops collecting. */
  async close(): Promise<void> {
    await this.#uses.close();
    await this.#options.sessions.close();
  }

  /** What a session may do now. */
  async #limitsOf(session: UserSession): Promise<SessionLimits> {
    const { user_id, role_ids, must_change_password } = session;
    if (must_change_password !== 0) return { grants: [], mustChangePassword: true };
    if (await this.#lacksFactor(user_id, role_ids)) return { grants: [], lacksFactor: true };
    if (waitsForFactor(session) && (await hasFactor(this.#options.reader, user_id)))
      return { grants: [], awaitsFactor: true };
    const grants = await this.#options.roles.resolve(role_ids);
    return grants === undefined ? {} : { grants };
  }

  /** What the roles of a user give now: nothing until there is the second factor that one of them demands. */
  async #grantsOfUser(userId: number, roleIds: string): Promise<Grants | undefined> {
    return (await this.#lacksFactor(userId, roleIds)) ? [] : this.#options.roles.resolve(roleIds);
  }

  async #lacksFactor(userId: number, roleIds: string): Promise<boolean> {
    const { reader, roles } = this.#options;
    return (await roles.demandsFactor(roleIds)) && !(await hasFactor(reader, userId));
  }

  async #findLiveToken(id: number): Promise<FoundToken | undefined> {
    const { reader, clock } = this.#options;
    const token = await findTokenById(reader, id);
    return token === undefined || hasEnded(token.expires_at, unixSeconds(clock)) ? undefined : token;
  }

  #isMaster(hash: string): boolean {
    return this.#masterHash !== undefined && sameHash(hash, this.#masterHash);
  }

  async #tokenActor(hash: string): Promise<Actor> {
    const known = this.#findKnown(hash) ?? (await this.#readToken(hash));
    if (known === undefined) return { kind: 'none' };
    this.#uses.note(known.actor.id);
    return known.actor;
  }

  #findKnown(hash: string): KnownToken | undefined {
    const known = this.#tokens.get(hash);
    if (known === undefined || !hasEnded(known.expiresAt, unixSeconds(this.#options.clock))) return known;
    this.#tokens.delete(hash);
    return undefined;
  }

  async #readToken(hash: string): Promise<KnownToken | undefined> {
    const since = this.#timesForgotten;
    const { reader, clock } = this.#options;
    const token = await findTokenByHash(reader, hash);
    if (token === undefined || !sameHash(hash, token.hash)) return undefined;
    if (hasEnded(token.expires_at, unixSeconds(clock))) return undefined;
    const { id, name, can_write, role_ids, expires_at: expiresAt } = token;
    const { grants, dependsOnContent } = await this.#grantsOf(token);
    const actor = {
      kind: 'token',
      id,
      name,
      // What a token with roles may write, its roles say.
      canWrite: role_ids !== null || can_write !== 0,
      ...(grants === undefined ? {} : { grants }),
    } as const;
    const known = { actor, expiresAt, dependsOnContent };
    if (this.#timesForgotten === since) this.#tokens.set(hash, known);
    return known;
  }

  /** What the roles of a token give, at most what its owner has now. */
  async #grantsOf({
    role_ids,
    owner_id,
    owner_role_ids,
  }: FoundToken): Promise<{ readonly grants: Grants | undefined; readonly dependsOnContent: boolean }> {
    const { reader, roles } = this.#options;
    const own = role_ids === null ? undefined : await roles.resolve(role_ids);
    const hasOwner = owner_id !== null && owner_role_ids !== null;
    const most = hasOwner ? await this.#grantsOfUser(owner_id, owner_role_ids) : undefined;
    const grants = await intersectGrants(reader, own, most);
    const dependsOnContent = own !== undefined && most !== undefined && [...own, ...most].some(namesPlaces);
    return { grants, dependsOnContent };
  }
}

function hasEnded(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function namesPlaces({ on }: Grants[number]): boolean {
  return on.pages !== undefined || on.collections !== undefined;
}
