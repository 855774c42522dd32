import { type Clock, unixSeconds } from '../clock.ts';
import type { ActivityDb, ContentDb } from '../db/tables.ts';
import type { ApiRequest } from '../http/api.ts';
import type { Actor, Route } from '../http/route.ts';
import type { Log } from '../log.ts';
import type { AdminGate } from '../system/admin-gate.ts';
import { readSessionCookie } from './cookie.ts';
import { readOnBehalfOf } from './on-behalf.ts';
import { findTokenByHash, insertToken, saveTokenUse } from './store.ts';
import { generateToken, hashToken, sameHash } from './token.ts';
import { findSession } from './user-store.ts';

/** How long uses of tokens are collected before they are written, in milliseconds. */
const usageFlushMs = 10_000;

export interface AuthOptions {
  readonly reader: ContentDb;
  readonly activity: ActivityDb;
  readonly masterToken: string | undefined;
  readonly gate: AdminGate;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Auth {
  /**
   * Who sends a request (Core, "Authentication"). A bearer header counts alone, then `?token=` for GET and HEAD
   * alone, then the session cookie; an invalid credential makes the caller anonymous.
   */
  authenticate(request: ApiRequest, query: URLSearchParams): Promise<Actor>;
  /**
   * The actor with the person a writing token request names (document 2, batch, rule 7).
   *
   * @throws ApiError `batch.onBehalfTooLong`
   */
  attribute(actor: Actor, request: ApiRequest): Actor;
  /** Who is logged in by the session cookie of a request to this host; nobody where the admin is closed. */
  sessionOf(cookieHeader: string, host: string): Promise<Actor>;
  /** Whether a route is there for requests to this host: none of the admin's is while it is closed. */
  isReachable(route: Route, host: string): boolean;
  /** Times of use of tokens that are not written yet, by token. */
  readonly tokenUses: ReadonlyMap<number, number>;
  /** Writes the collected uses of tokens and stops collecting. */
  close(): Promise<void>;
}

export function createAuth(options: AuthOptions): Auth {
  const masterHash = options.masterToken === undefined ? undefined : hashToken(options.masterToken);
  const uses = new Map<number, number>();
  const timer = setInterval(() => void flushUses(), usageFlushMs).unref();

  return {
    async authenticate(request, query) {
      const secret = credentialOf(request, query);
      if (secret === undefined) {
        const { headers } = request;
        return sessionOf(headers.get('cookie') ?? '', headers.get('host')?.toLowerCase() ?? '');
      }
      const hash = hashToken(secret);
      if (masterHash !== undefined && sameHash(hash, masterHash)) return { kind: 'master' };
      return tokenActor(hash);
    },
    attribute(actor, request) {
      if ((actor.kind !== 'token' && actor.kind !== 'master') || isReading(request)) return actor;
      const onBehalfOf = readOnBehalfOf(request.headers.get('x-ic-on-behalf-of') ?? '');
      return onBehalfOf === undefined ? actor : { ...actor, onBehalfOf };
    },
    sessionOf,
    isReachable({ access, path }, host) {
      if (path.startsWith('/auth/')) return options.gate.isOpenOn(host);
      return access !== 'admin' || options.gate.isOpen;
    },
    tokenUses: uses,
    async close() {
      clearInterval(timer);
      await flushUses();
    },
  };

  async function sessionOf(cookieHeader: string, host: string): Promise<Actor> {
    if (!options.gate.isOpenOn(host)) return { kind: 'none' };
    const value = readSessionCookie(cookieHeader);
    if (value === undefined) return { kind: 'none' };
    const sessionHash = hashToken(value);
    const session = await findSession(options.reader, sessionHash, unixSeconds(options.clock));
    if (session === undefined) return { kind: 'none' };
    return { kind: 'session', userId: session.user_id, name: session.username, sessionHash };
  }

  async function tokenActor(hash: string): Promise<Actor> {
    const token = await findTokenByHash(options.reader, hash);
    if (token === undefined || !sameHash(hash, token.hash)) return { kind: 'none' };
    uses.set(token.id, unixSeconds(options.clock));
    return { kind: 'token', id: token.id, name: token.name, canWrite: token.can_write !== 0 };
  }

  async function flushUses(): Promise<void> {
    try {
      for (const [tokenId, usedAt] of [...uses]) {
        await saveTokenUse(options.activity, tokenId, usedAt);
        if (uses.get(tokenId) === usedAt) uses.delete(tokenId);
      }
    } catch (error) {
      options.log.warn({ err: error }, 'the last use of tokens could not be recorded');
    }
  }
}

/** Creates a write token and answers with its only plain copy. */
export async function createWriteToken(db: ContentDb, name: string, clock: Clock): Promise<string> {
  const { secret, prefix, hash } = generateToken();
  await insertToken(db, { name, prefix, hash, can_write: 1, created_at: unixSeconds(clock) });
  return secret;
}

function credentialOf(request: ApiRequest, query: URLSearchParams): string | undefined {
  const header = request.headers.get('authorization');
  const bearer = header === undefined ? null : /^bearer(?:[ \t]+(.*))?$/i.exec(header);
  if (bearer !== null) return bearer[1] ?? '';
  return isReading(request) ? (query.get('token') ?? undefined) : undefined;
}

function isReading(request: ApiRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}
