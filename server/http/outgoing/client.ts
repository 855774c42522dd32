/**
 * The one client for requests to other hosts. What holds for every request:
 *
 *  1. Only http and https; never an address of a cloud's metadata service; only targets that the rules allow.
 *  2. A connection goes to an address that was checked for this request, names are not resolved twice.
 *  3. Every redirect is a new request to which the same rules apply. What a caller sends for one origin
 *     (credentials, own headers, a body) reaches no other.
 *  4. A target that was chosen by someone else (a redirect, an address found on a page) must be public if the
 *     host that the operator has named is public.
 *  5. Connecting, waiting and reading have time limits. A body is streamed; `readBytes` limits its size.
 *  6. Errors are `OutgoingError`, and name nothing but the host.
 */
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import {
  findTargetRefusal,
  isPrivate,
  type OutgoingRules,
  type ResolvedHost,
  refusalTexts,
} from '../../config/outgoing-rules.ts';
import { acceptedEncodings, decodedBody, discard, type OutgoingAnswer } from './answer.ts';
import { type ConnectionOptions, Connections } from './connections.ts';
import { OutgoingError, toOutgoingError } from './errors.ts';
import { type Hop, isRedirect, nextHop } from './redirects.ts';
import { type Resolve, systemResolver } from './resolver.ts';
import { openSocket, type SocketRequest } from './socket.ts';
import { parseTarget, parseTargetHost } from './target.ts';

export interface OutgoingRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream can be sent only once, so it ends at a redirect that would need it again. */
  readonly body?: string | Uint8Array | Readable;
  /**
   * For an address that others have chosen, such as an image on an imported page: the address that was
   * configured. If its host is public, the target must be public.
   */
  readonly foundOn?: string | URL;
  /** Redirects that are followed, at most 5. Default 0: a redirect is the answer. */
  readonly maxRedirects?: number;
  /** Follows redirects from https to http. For requests that carry no secrets. */
  readonly mayLeaveTls?: boolean;
  /** False: the body stays as it was sent, and no content encoding is asked for. Default true. */
  readonly decode?: boolean;
  readonly timeouts?: Partial<OutgoingTimeouts>;
  readonly signal?: AbortSignal;
}

/** Limits in milliseconds. */
export interface OutgoingTimeouts {
  /** From the end of the request to the headers of the answer. */
  readonly headersMs: number;
  /** Between two pieces of the body. */
  readonly idleMs: number;
  /** The whole, redirects and body included; `Infinity` for bodies of any size. */
  readonly totalMs: number;
}

const defaultTimeouts: OutgoingTimeouts = { headersMs: 30_000, idleMs: 30_000, totalMs: 60_000 };
const defaultConnectMs = 10_000;
const maxRedirects = 5;

export interface OutgoingOptions extends Partial<ConnectionOptions> {
  readonly rules: OutgoingRules;
  /** Default: the resolver of the system. */
  readonly resolve?: Resolve;
}

export class Outgoing {
  readonly #rules: OutgoingRules;
  readonly #resolve: Resolve;
  readonly #connections: Connections;
  /** See {@link ConnectionOptions}. */
  readonly #route: (address: string) => string;

  constructor({ rules, resolve = systemResolver(), ...connections }: OutgoingOptions) {
    this.#rules = rules;
    this.#route = connections.route ?? ((address) => address);
    this.#resolve = resolve;
    this.#connections = new Connections({ connectMs: defaultConnectMs, ...connections });
  }

  /**
   * Sends a request. Resolves when the headers of the answer are there, whatever its status is.
   *
   * @throws OutgoingError
   */
  async send(request: OutgoingRequest): Promise<OutgoingAnswer> {
    const watch = new RequestDeadline(request.signal, request.timeouts?.totalMs ?? defaultTimeouts.totalMs);
    try {
      return await this.#follow(request, watch);
    } catch (error) {
      watch.end();
      throw error;
    }
  }

  /**
   * Connects to a host for a protocol other than HTTP, under the same rules. The caller ends the connection.
   *
   * @throws OutgoingError
   */
  async connect(request: SocketRequest): Promise<Socket> {
    const target = parseTarget(`http://${request.host.includes(':') ? `[${request.host}]` : request.host}`);
    const watch = new RequestDeadline(request.signal, request.timeoutMs ?? Number.POSITIVE_INFINITY);
    watch.host = target.host;
    try {
      const addresses = await this.#checkedAddresses(target, false, watch);
      return await openSocket(request, addresses.map(this.#route));
    } finally {
      watch.end();
    }
  }

  /**
   * Why an address can never be a target, without asking the name service; for checks when it is saved.
   * Undefined if nothing is wrong with it so far.
   */
  faultOf(url: string): OutgoingError | undefined {
    try {
      const target = parseTarget(url);
      const { host, address } = parseTargetHost(target);
      if (address !== undefined) this.#check(target, { host, addresses: [address] }, false);
      return undefined;
    } catch (error) {
      return toOutgoingError(error, '');
    }
  }

  /** Ends all requests and connections. */
  close(): Promise<void> {
    return this.#connections.close();
  }

  async #follow(request: OutgoingRequest, watch: RequestDeadline): Promise<OutgoingAnswer> {
    const limit = Math.min(request.maxRedirects ?? 0, maxRedirects);
    let mustBePublic = request.foundOn !== undefined && (await this.#isPublic(request.foundOn, watch));
    let hop = firstHop(request);
    for (let redirects = 0; ; redirects++) {
      watch.host = hop.url.host;
      const addresses = await this.#checkedAddresses(hop.url, mustBePublic, watch);
      const answer = await this.#exchange(hop, addresses, request, watch);
      const headers = headersOf(answer.headers);
      if (limit === 0 || !isRedirect(answer.statusCode)) return finish(answer, headers, hop, request, watch);

      discard(answer.body);
      if (redirects === limit)
        throw new OutgoingError('redirectRefused', hop.url.host, `there are more than ${limit} in a row`);
      if (redirects === 0 && request.foundOn === undefined) mustBePublic = !isPrivate(addresses);
      hop = nextHop(hop, answer.statusCode, headers.get('location'), request.mayLeaveTls === true);
      if (hop.hasBody && isStream(request.body))
        throw new OutgoingError('redirectRefused', hop.url.host, 'the body cannot be sent a second time');
    }
  }

  async #exchange(
    { url, method, headers, hasBody }: Hop,
    addresses: readonly string[],
    { body, timeouts = {} }: OutgoingRequest,
    watch: RequestDeadline,
  ): Promise<Dispatcher.ResponseData> {
    try {
      const pool = await this.#connections.to(url.origin, addresses);
      return await pool.request({
        path: `${url.pathname}${url.search}`,
        method,
        headers: Object.fromEntries(headers),
        body: hasBody && body !== undefined ? body : null,
        headersTimeout: timeouts.headersMs ?? defaultTimeouts.headersMs,
        bodyTimeout: timeouts.idleMs ?? defaultTimeouts.idleMs,
        signal: watch.signal,
      });
    } catch (error) {
      throw watch.reason ?? toOutgoingError(error, url.host);
    }
  }

  /** @throws OutgoingError `unresolved`, `forbidden` */
  async #checkedAddresses(
    url: URL,
    mustBePublic: boolean,
    watch: RequestDeadline,
  ): Promise<readonly string[]> {
    const resolved = await this.#addressesOf(url, watch);
    this.#check(url, resolved, mustBePublic);
    return resolved.addresses;
  }

  #check(url: URL, resolved: ResolvedHost, mustBePublic: boolean): void {
    const refusal = findTargetRefusal(this.#rules, resolved, mustBePublic);
    if (refusal !== undefined) throw new OutgoingError('forbidden', url.host, `it ${refusalTexts[refusal]}`);
  }

  /** Whether a configured host is public. One that cannot be resolved counts as public, which is stricter. */
  async #isPublic(url: string | URL, watch: RequestDeadline): Promise<boolean> {
    try {
      return !isPrivate((await this.#addressesOf(parseTarget(url), watch)).addresses);
    } catch (error) {
      if (watch.reason !== undefined) throw error;
      return true;
    }
  }

  async #addressesOf(url: URL, watch: RequestDeadline): Promise<ResolvedHost> {
    const { host, address } = parseTargetHost(url);
    if (address !== undefined) return { host, addresses: [address] };
    try {
      return { host, addresses: await watch.race(this.#resolve(host)) };
    } catch (error) {
      throw toOutgoingError(error, url.host);
    }
  }
}

function firstHop({ method = 'GET', url, headers = {}, body, decode = true }: OutgoingRequest): Hop {
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (!named.has('user-agent')) named.set('user-agent', 'Incipit');
  named.set('accept-encoding', decode ? acceptedEncodings : 'identity');
  return { method, url: parseTarget(url), headers: named, hasBody: body !== undefined };
}

function isStream(body: OutgoingRequest['body']): boolean {
  return body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
}

function headersOf(raw: Dispatcher.ResponseData['headers']): Map<string, string> {
  return new Map(
    Object.entries(raw).map(([name, value = '']) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

/** The answer for the caller. The time limit goes on until its body has ended. */
function finish(
  { statusCode, body }: Dispatcher.ResponseData,
  headers: Map<string, string>,
  { url, method }: Hop,
  { decode = true }: OutgoingRequest,
  watch: RequestDeadline,
): OutgoingAnswer {
  const hasBody = method !== 'HEAD' && statusCode !== 204 && statusCode !== 304;
  const encoding = decode && hasBody ? headers.get('content-encoding') : undefined;
  const decoded = decodedBody(body, encoding, { host: url.host, onEnd: () => watch.end() });
  return { status: statusCode, headers, url: url.href, body: decoded };
}

/** The time limit of a whole request, and the signal of its caller. */
class RequestDeadline {
  /** Host that is asked at the moment, for the error. */
  host = '';
  /** Why the request was ended; undefined as long as it may go on. */
  reason: OutgoingError | undefined;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #caller: AbortSignal | undefined;
  readonly #onCancel = () => this.#stop('canceled', 'the caller gave up');

  constructor(caller: AbortSignal | undefined, totalMs: number) {
    this.#caller = caller;
    if (caller?.aborted === true) this.#onCancel();
    caller?.addEventListener('abort', this.#onCancel, { once: true });
    if (Number.isFinite(totalMs))
      this.#timer = setTimeout(() => this.#stop('timeout', `it took more than ${totalMs} ms`), totalMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for something that cannot be interrupted, at most until the request is ended. */
  async race<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    let stop: (() => void) | undefined;
    const stopped = new Promise<never>((_resolve, reject) => {
      stop = () => reject(this.reason);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work, stopped]);
    } finally {
      if (stop !== undefined) signal.removeEventListener('abort', stop);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onCancel);
  }

  #stop(code: 'timeout' | 'canceled', text: string): void {
    this.reason = new OutgoingError(code, this.host, text);
    this.#controller.abort(this.reason);
  }
}
