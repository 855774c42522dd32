import { type ApiError, apiError } from '../../base/errors.ts';
import { hasDotSegment } from '../../http/outgoing/address-template.ts';
import { readBytes } from '../../http/outgoing/answer.ts';
import type { Outgoing, OutgoingRequest } from '../../http/outgoing/client.ts';
import { OutgoingError } from '../../http/outgoing/errors.ts';
import { parseJsonAnswer } from '../../http/outgoing/json.ts';

/** One call of a workflow or of the API, which may need several requests. */
export interface CallScope {
  readonly signal: AbortSignal;
  /** Bytes of all answers so far. */
  bytes: number;
}

/** A connection with its token in plain. */
export interface OpenedConnection {
  readonly name: string;
  readonly url: string;
  /** Empty = none. */
  readonly token: string;
}

export interface ServiceRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address of the connection; begins with a slash, its parts are encoded. */
  readonly path: string;
  /** Parameters; one with a list is sent several times. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Parsed JSON; undefined if the answer has none. */
  readonly body: unknown;
  /** Why the body could not be read as JSON: error pages are often HTML. */
  readonly fault?: string;
}

/** Most bytes of all answers to one call; a workflow's message may have 10 MB. */
const maxBytes = 32 * 2 ** 20;
/** Longest address; servers and proxies refuse longer ones with errors that say little. */
const maxUrl = 16_000;
const timeoutMs = 30_000;

/** Speaks JSON with the service of one connection. Errors are `extdb.failed` and never name the token. */
export class ServiceClient {
  readonly connection: OpenedConnection;
  readonly #outgoing: Pick<Outgoing, 'send'>;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param headers sent with every request, such as the credential */
  constructor(
    connection: OpenedConnection,
    outgoing: Pick<Outgoing, 'send'>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.connection = connection;
    this.#outgoing = outgoing;
    this.#headers = headers;
  }

  /** The same connection with other headers of every request. */
  with(headers: Readonly<Record<string, string>>): ServiceClient {
    return new ServiceClient(this.connection, this.#outgoing, headers);
  }

  /** The JSON of a successful answer. @throws ApiError `extdb.failed` for any other */
  async json(request: ServiceRequest, scope: CallScope): Promise<unknown> {
    return this.succeeded(await this.send(request, scope)).body;
  }

  /** The answer, if it is a successful one. @throws ApiError `extdb.failed` with what the service says */
  succeeded(answer: ServiceAnswer): ServiceAnswer {
    if (answer.status < 200 || answer.status >= 300) throw this.failed(reasonOf(answer));
    if (answer.fault !== undefined) throw this.failed(answer.fault);
    return answer;
  }

  /** Sends a request; the answer may have any status. @throws ApiError `extdb.failed` */
  async send(
    { method = 'GET', path, query = {}, headers, body }: ServiceRequest,
    scope: CallScope,
  ): Promise<ServiceAnswer> {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
    );
    if (hasDotSegment(path)) throw this.failed('a key or a name is "." or ".."');
    const search = new URLSearchParams(pairs).toString();
    const url = `${this.connection.url}${path}${search === '' ? '' : `?${search}`}`;
    if (url.length > maxUrl)
      throw this.failed(`the question is too long for an address (${url.length} characters): ask in parts`);
    const request: OutgoingRequest = {
      method,
      url,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...this.#headers,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeouts: { headersMs: timeoutMs, idleMs: timeoutMs, totalMs: 2 * timeoutMs },
      signal: scope.signal,
    };
    try {
      const answer = await this.#outgoing.send(request);
      const { bytes } = await readBytes(answer, maxBytes - scope.bytes);
      scope.bytes += bytes.length;
      return { status: answer.status, headers: answer.headers, ...(await bodyIn(bytes, answer)) };
    } catch (error) {
      if (error instanceof OutgoingError) throw this.failed(error.message);
      throw error;
    }
  }

  failed(error: string): ApiError {
    const { name: connection, token } = this.connection;
    const masked = token === '' ? error : error.replaceAll(token, '***');
    return apiError('extdb.failed', { connection, error: masked });
  }
}

async function bodyIn(
  bytes: Uint8Array,
  { url }: { readonly url: string },
): Promise<Pick<ServiceAnswer, 'body' | 'fault'>> {
  if (bytes.length === 0) return { body: undefined };
  try {
    return { body: await parseJsonAnswer(bytes, url) };
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return { body: undefined, fault: error.message };
  }
}

/** What the service says of a request that failed. */
function reasonOf({ status, headers, body }: ServiceAnswer): string {
  if (status >= 300 && status < 400)
    return `it answers ${status} and leads to another address (${headers.get('location')?.slice(0, 200) ?? 'none'}): enter that one`;
  const said = saidIn(body);
  const refused = status === 401 || status === 403 ? 'the token is refused' : `it answered ${status}`;
  return said === '' ? refused : `${refused}: ${said}`;
}

/** The members that the services put their messages in. */
const messageMembers = ['message', 'msg', 'error_description', 'error', 'details', 'hint'] as const;

function saidIn(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const texts = messageMembers
    .map((member): unknown => Reflect.get(body, member))
    .filter((text) => typeof text === 'string' && text !== '');
  return [...new Set(texts)].join('; ').slice(0, maxSaid);
}

const maxSaid = 500;
