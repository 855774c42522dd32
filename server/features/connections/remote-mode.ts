/**
 * Remote mode: requests of an administrator go to another instance (Data, Automation and Operations, "Remote mode").
 *
 * Only a session can select an instance, so only sessions are forwarded; the front has checked credential and rate
 * limit before. Of the request and of the answer only named headers pass: no cookie, no token and no origin of one
 * side reaches the other. A document of the other instance never runs with the rights of this origin.
 */

import { addAbortSignal, type Readable } from 'node:stream';
import { checkCsrf } from '../../api/api.ts';
import { isReading } from '../../api/credential.ts';
import type { Actor } from '../../base/actor.ts';
import { apiError } from '../../base/errors.ts';
import type { SharedServices } from '../../feature.ts';
import type { ApiRequest, ApiResponse } from '../../http/api-exchange.ts';
import { EventStream, eventStreamType } from '../../http/body/events.ts';
import { StreamedBody } from '../../http/body/streamed.ts';
import { discard, type OutgoingAnswer } from '../../http/outgoing/answer.ts';
import { OutgoingError } from '../../http/outgoing/errors.ts';
import { purposeHeaders } from '../../http/prefetch.ts';
import type { PublicHandler, PublicRequest, PublicResponse } from '../../http/public-exchange.ts';
import { readRemoteCookie } from '../auth/cookie.ts';
import type { Auth } from '../auth/service.ts';
import { failed } from './remote.ts';
import { decryptToken } from './service.ts';
import * as store from './store.ts';

type RemoteModeParts = Pick<SharedServices, 'reader' | 'secrets' | 'outgoing' | 'log'>;

/** Runs of workflows and imports may take long before they answer. */
const timeouts = { headersMs: 600_000, idleMs: 60_000, totalMs: Number.POSITIVE_INFINITY } as const;

const passedRequestHeaders = [
  ...['accept', 'accept-language', 'content-type', 'content-length'],
  ...['if-none-match', 'if-modified-since', 'range', 'if-range', 'last-event-id'],
];
const passedAnswerHeaders = [
  ...['Content-Type', 'Content-Disposition', 'Content-Range', 'Content-Security-Policy', 'Accept-Ranges'],
  ...['ETag', 'Last-Modified', 'Retry-After', 'Allow', 'Location', 'Idempotent-Replay'],
  ...['X-Total-Count', 'X-Robots-Tag', 'X-Accel-Buffering', 'X-IC-Export', 'X-IC-Export-Full'],
];

type Session = Extract<Actor, { kind: 'session' }>;

export class RemoteMode {
  readonly #parts: RemoteModeParts;

  constructor(parts: RemoteModeParts) {
    this.#parts = parts;
  }

  /** The answer of the selected instance to a request below `/api/`; undefined if the request stays here. */
  forward(request: ApiRequest, actor: Actor): Promise<ApiResponse> | undefined {
    if (actor.kind !== 'session' || actor.remoteId === undefined || staysHere(request.path)) return undefined;
    return this.#forwardApi(request, actor, actor.remoteId);
  }

  /** Forwards media and assets of sessions in remote mode; everything else goes to `next`. */
  delivery(next: PublicHandler, auth: Pick<Auth, 'sessionOf'>): PublicHandler {
    return (request) => {
      const isForwarded = request.path.startsWith('/media/') || request.path.startsWith('/_assets/');
      if (!isForwarded || readRemoteCookie(request.cookie) === undefined) return next(request);
      if (request.header('authorization') !== '' || /(?:^|&)(?:token|sig)=/.test(request.query))
        return next(request);
      return this.#forwardPublic(new KeptRequest(request), next, auth);
    };
  }

  async #forwardApi(request: ApiRequest, actor: Session, id: number): Promise<ApiResponse> {
    checkCsrf(request, actor);
    const connection = await store.connections.find(this.#parts.reader, id);
    if (connection === undefined) throw apiError('connection.gone', {});
    const hasBody = request.headers.has('content-length') || request.headers.has('transfer-encoding');
    const answer = await this.#send(connection, request, {
      body: hasBody && !isReading(request) ? request.stream() : undefined,
      headers: isReading(request) ? {} : { 'x-ic-on-behalf-of': encodeURIComponent(actor.name) },
    });
    const headers = [...answerHeaders(answer), ['Cache-Control', 'no-store'] as const];
    const { status, body } = answer;
    if (answer.headers.get('content-type')?.startsWith(eventStreamType) === true)
      return { status, headers, body: undefined, events: eventsOf(body) };
    return status === 204 || status === 304
      ? { status, headers, body: undefined }
      : { status, headers, body: undefined, stream: new StreamedBody(body, lengthOf(answer)) };
  }

  async #forwardPublic(
    request: KeptRequest,
    next: PublicHandler,
    auth: Pick<Auth, 'sessionOf'>,
  ): Promise<PublicResponse> {
    const actor = await auth.sessionOf(request.cookie, request);
    const id = actor.kind === 'session' ? actor.remoteId : undefined;
    const connection = id === undefined ? undefined : await store.connections.find(this.#parts.reader, id);
    if (connection === undefined) return next(request);
    const headers = new Map(passedRequestHeaders.map((name) => [name, request.header(name)]));
    try {
      const answer = await this.#send(
        connection,
        { ...request.parts, headers },
        { body: undefined, headers: {} },
      );
      return {
        status: `${answer.status} ${answer.status === 200 ? 'OK' : ''}`,
        headers: [...answerHeaders(answer), ['Cache-Control', 'no-store']],
        body: answer.status === 304 ? undefined : new StreamedBody(answer.body, lengthOf(answer)),
      };
    } catch (error) {
      this.#parts.log.warn(
        { err: error, connection: connection.id },
        'a file could not be fetched in remote mode',
      );
      return { status: '502 Bad Gateway', headers: [['Cache-Control', 'no-store']], body: '502 Bad Gateway' };
    }
  }

  /** @throws ApiError 502 `connection.failed`, 404 for an address that would become another one */
  async #send(
    connection: store.StoredConnection,
    { method, path, query, headers }: Pick<ApiRequest, 'method' | 'path' | 'query' | 'headers'>,
    own: { readonly body: Readable | undefined; readonly headers: Readonly<Record<string, string>> },
  ): Promise<OutgoingAnswer> {
    const { outgoing, secrets } = this.#parts;
    const url = new URL(connection.url + path + (query === '' ? '' : `?${query}`));
    if (url.origin + url.pathname !== connection.url + path) throw apiError('common.notFound', {});
    const passed = passedRequestHeaders.flatMap((name) => {
      const value = headers.get(name) ?? '';
      return value === '' || (name === 'content-length' && own.body === undefined)
        ? []
        : [[name, value] as const];
    });
    try {
      const answer = await outgoing.send({
        // Type boundary: the front knows no other methods.
        method: method as 'GET',
        url,
        headers: {
          ...Object.fromEntries(passed),
          ...own.headers,
          authorization: `Bearer ${decryptToken(connection, secrets)}`,
        },
        ...(own.body === undefined ? {} : { body: own.body }),
        timeouts,
        decode: false,
      });
      if (answer.status !== 401) return answer;
      // For the admin a 401 would mean that its own session has ended.
      discard(answer.body);
      throw failed('it does not accept the token of this connection');
    } catch (error) {
      throw error instanceof OutgoingError ? failed(error.message) : error;
    }
  }
}

const localRoots: ReadonlySet<string> = new Set(['auth', 'users', 'roles', 'tokens', 'connections']);

/** Whether a path of the API is always answered here. In doubt it is. */
function staysHere(path: string): boolean {
  const [, api, version, root = '', next = ''] = path.split('/').map(decoded);
  if (api !== 'api' || version !== 'v1') return true;
  return localRoots.has(root) || (root === 'bundle' && (next === 'push' || next === 'pull'));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).toLowerCase();
  } catch {
    return segment;
  }
}

/** Documents that a browser would run or render. */
const activeType = /html|xml|svg/i;

function answerHeaders({ headers }: OutgoingAnswer): (readonly [string, string])[] {
  const policy = headers.get('content-security-policy') ?? '';
  const isActive = activeType.test(headers.get('content-type') ?? '');
  const mayRun = /allow-same-origin/i.test(policy) || !/(?:^|;|,)\s*sandbox\b/i.test(policy);
  return passedAnswerHeaders.flatMap((name): (readonly [string, string])[] => {
    const value = headers.get(name.toLowerCase());
    if (name === 'Content-Security-Policy' && isActive && mayRun)
      return [[name, "default-src 'none'; sandbox"]];
    return value === undefined ? [] : [[name, value]];
  });
}

function lengthOf({ headers }: OutgoingAnswer): number | undefined {
  const length = headers.get('content-length');
  return length === undefined ? undefined : Number(length);
}

function eventsOf(body: Readable): EventStream {
  const readParts = async function* (signal: AbortSignal) {
    const decoder = new TextDecoder();
    for await (const part of addAbortSignal(signal, body)) {
      const bytes: Buffer = part;
      yield decoder.decode(bytes, { stream: true });
    }
  };
  // What is left of it has no end.
  return new EventStream(readParts, { discard: () => body.on('error', () => {}).destroy() });
}

/** A request whose headers can still be read after an `await`. */
class KeptRequest implements PublicRequest {
  readonly method: 'GET' | 'HEAD';
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly path: string;
  readonly query: string;
  readonly acceptEncoding: string;
  readonly ifNoneMatch: string;
  readonly cookie: string;
  readonly #headers: ReadonlyMap<string, string>;
  readonly #peer: string;

  constructor(request: PublicRequest) {
    this.method = request.method;
    this.host = request.host;
    this.scheme = request.scheme;
    this.path = request.path;
    this.query = request.query;
    this.acceptEncoding = request.acceptEncoding;
    this.ifNoneMatch = request.ifNoneMatch;
    this.cookie = request.cookie;
    this.#headers = new Map(keptHeaders.map((name) => [name, request.header(name)]));
    this.#peer = request.peer();
  }

  get parts(): Pick<ApiRequest, 'method' | 'path' | 'query'> {
    return { method: this.method, path: this.path, query: this.query };
  }

  header(name: string): string {
    return this.#headers.get(name) ?? '';
  }

  peer(): string {
    return this.#peer;
  }
}

/** What the handlers of media and assets ask for. */
const keptHeaders = [
  ...passedRequestHeaders,
  ...['authorization', 'if-match', 'if-unmodified-since', 'user-agent', 'referer'],
  ...['x-forwarded-for', 'sec-fetch-dest', 'sec-fetch-mode', ...purposeHeaders],
];
