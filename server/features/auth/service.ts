import { hash as computeHash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../api/api-response-cache.ts';
import { type CredentialRequest, findBearer, findToken, isReading } from '../../api/credential.ts';
import type { Route } from '../../api/route.ts';
import type { Actor } from '../../base/actor.ts';
import { type Clock, unixSeconds } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Grants } from '../../base/rights.ts';
import type { ActivityStore } from '../../db/activity.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { ApiRequest } from '../../http/api-exchange.ts';
import { intersectGrants } from '../roles/grants.ts';
import type { GrantResolver } from '../roles/resolver.ts';
import type { AdminGate } from './admin-gate.ts';
import { hasSessionCookie, readRemoteCookie, readSessionCookie } from './cookie.ts';
import { readOnBehalfOf } from './on-behalf.ts';
import { type FoundToken, findTokenByHash, findTokenById, saveTokenUse } from './store.ts';
import { findSession } from './user-store.ts';

const maxKnownTokens = 1000;

/** How long uses of tokens are collected before they are written, in milliseconds. */
const usageFlushMs = 10_000;

export interface AuthOptions {
  readonly reader: ContentDb;
  readonly activity: Pick<ActivityStore, 'write'>;
  readonly masterToken: string | undefined;
  readonly gate: AdminGate;
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

const nobody: Actor = Object.freeze({ kind: 'none' });

/** Finds the caller of a request. */
export class Auth {
  readonly #options: AuthOptions;
  readonly #masterHash: string | undefined;
  readonly #uses = new Map<number, number>();
  /** The last tokens that were valid, by their hash. Cleared when one of them, or what it may do, may have changed. */
  readonly #tokens = new LRUCache<string, KnownToken>({ max: maxKnownTokens });
  #timesForgotten = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(options: AuthOptions) {
    this.#options = options;
    this.#masterHash = options.masterToken === undefined ? undefined : hashToken(options.masterToken);
    this.#timer = setInterval(() => void this.#flushUses(), usageFlushMs).unref();
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
      return hasSessionCookie(cookie) ? this.sessionOf(cookie, request.host) : nobody;
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
    this.#noteUse(known.actor.id);
    return 'known';
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

  /** The caller that a session cookie stands for on this host; anonymous where the admin is closed. */
  async sessionOf(cookieHeader: string, host: string): Promise<Actor> {
    const { gate, reader, clock } = this.#options;
    if (!gate.isOpenOn(host)) return { kind: 'none' };
    const value = readSessionCookie(cookieHeader);
    if (value === undefined) return { kind: 'none' };
    const sessionHash = hashToken(value);
    const session = await findSession(reader, sessionHash, unixSeconds(clock));
    if (session === undefined) return { kind: 'none' };
    const remoteId = readRemoteCookie(cookieHeader);
    const remote = remoteId === undefined ? {} : { remoteId };
    const grants = await this.#options.roles.resolve(session.role_ids);
    const limits = grants === undefined ? {} : { grants };
    const { user_id: userId, username: name } = session;
    return { kind: 'session', userId, name, sessionHash, ...remote, ...limits };
  }

  /** Implements `ApiAuth`. */
  async isStillValid(actor: Actor): Promise<boolean> {
    const { gate, reader, clock } = this.#options;
    if (actor.kind === 'token') {
      const token = await findTokenById(reader, actor.id);
      return token !== undefined && !hasEnded(token.expires_at, unixSeconds(clock));
    }
    if (actor.kind !== 'session') return true;
    if (!gate.isOpen) return false;
    return (await findSession(reader, actor.sessionHash, unixSeconds(clock))) !== undefined;
  }

  /** Whether a route exists for requests to this host. A closed admin has no routes. */
  isReachable({ access, path }: Route, host: string): boolean {
    const { gate } = this.#options;
    if (path.startsWith('/auth/')) return gate.isOpenOn(host);
    return access !== 'admin' || gate.isOpen;
  }

  /** Last uses of tokens that are not written yet: Unix seconds by token id. */
  get tokenUses(): ReadonlyMap<number, number> {
    return this.#uses;
  }

  /** Writes the collected uses of tokens and stops collecting. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushUses();
  }

  #isMaster(hash: string): boolean {
    return this.#masterHash !== undefined && sameHash(hash, this.#masterHash);
  }

  async #tokenActor(hash: string): Promise<Actor> {
    const known = this.#findKnown(hash) ?? (await this.#readToken(hash));
    if (known === undefined) return { kind: 'none' };
    this.#noteUse(known.actor.id);
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
    owner_role_ids,
  }: FoundToken): Promise<{ readonly grants: Grants | undefined; readonly dependsOnContent: boolean }> {
    const { reader, roles } = this.#options;
    const own = role_ids === null ? undefined : await roles.resolve(role_ids);
    const most = owner_role_ids === null ? undefined : await roles.resolve(owner_role_ids);
    const grants = await intersectGrants(reader, own, most);
    const dependsOnContent = own !== undefined && most !== undefined && [...own, ...most].some(namesPlaces);
    return { grants, dependsOnContent };
  }

  #noteUse(tokenId: number): void {
    this.#uses.set(tokenId, unixSeconds(this.#options.clock));
  }

  async #flushUses(): Promise<void> {
    const { activity, log } = this.#options;
    try {
      for (const [tokenId, usedAt] of [...this.#uses]) {
        await activity.write((db) => saveTokenUse(db, tokenId, usedAt));
        if (this.#uses.get(tokenId) === usedAt) this.#uses.delete(tokenId);
      }
    } catch (error) {
      log.warn({ err: error }, 'the last use of tokens could not be recorded');
    }
  }
}

function hasEnded(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function namesPlaces({ on }: Grants[number]): boolean {
  return on.pages !== undefined || on.collections !== undefined;
}

/**
 * The hash that is stored for a token. Plain SHA-256 is enough: tokens are random, so they cannot be guessed.
 */
export function hashToken(secret: string): string {
  return computeHash('sha256', secret, 'hex');
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function sameHash(left: string, right: string): boolean {
  const leftBytes = Buffer.from(left, 'hex');
  const rightBytes = Buffer.from(right, 'hex');
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}
