/**
 * Writes answers: whole if the client takes them, else the rest as fast as it takes it.
 *
 * An answer is never left to the library's own buffer, which has no limit: `tryEnd` writes what the system
 * takes and keeps nothing. As long as the rest of an answer is waiting, the request counts as unanswered, and
 * the library closes the connection when it finds another request on it. So a client that sends requests and
 * does not read has at most one answer in memory. Only heads without a body cannot be written in that way.
 */
import { STATUS_CODES } from 'node:http';
import type { ApiResponse } from '../api-exchange.ts';
import { type Body, BodyParts, computeByteLength } from '../body/parts.ts';
import { StreamedBody } from '../body/streamed.ts';
import type { PublicResponse } from '../public-exchange.ts';
import type { Headers } from '../security-headers.ts';
import { KeptHead } from './kept-head.ts';
import type { Exchange, Exchanges, Progress } from './running.ts';
import { writeStreamed } from './streaming.ts';
import type { Responder } from './transport.ts';

/**
 * Writes a public answer; false if parts of it follow later: then its exchange is started.
 *
 * @param added the security headers
 */
export function writePublic(
  res: Responder,
  method: 'GET' | 'HEAD',
  response: PublicResponse,
  added: Headers,
  exchanges: Exchanges,
): boolean {
  const head = keptHead(response.status, response.headers, added);
  const { body } = response;
  if (method === 'HEAD' || body === undefined) return writeHead(res, head, body);
  if (!(body instanceof StreamedBody)) return writeBody(res, head, body, exchanges);
  if (body.length === 0) {
    body.discard();
    return writeBody(res, head, '', exchanges);
  }
  writeStreamed(head.text, body, exchanges.start(res), false);
  return false;
}

export function isBodyless(method: string, { body }: PublicResponse): boolean {
  return method === 'HEAD' || body === undefined;
}

/** Writes an answer of the API; false if parts of it follow later: then its exchange is started. */
export function writeApi(
  res: Responder,
  method: string,
  { status, headers, body, stream }: ApiResponse,
  added: Headers,
  closeConnection: boolean,
  exchanges: Exchanges,
): boolean {
  const head = keptHead(`${status} ${STATUS_CODES[status] ?? ''}`, headers, added);
  if (stream !== undefined && method !== 'HEAD') {
    writeStreamed(head.text, stream, exchanges.start(res), closeConnection);
    return false;
  }
  if (closeConnection) {
    // The only call that closes the connection afterwards. It writes a length of 0 even with a 204.
    res.writeStatus(head.text).end(body instanceof BodyParts ? body.joined() : body, true);
    return true;
  }
  if (method === 'HEAD' || status === 204) return writeHead(res, head, stream ?? body);
  if (body instanceof BodyParts) return writeParts(res, head.text, body, exchanges.start(res));
  return writeBody(res, head, body ?? '', exchanges);
}

/**
 * Answers a request that breaks the protocol and closes the connection, because the following bytes cannot be
 * trusted. The answer waits for the next turn of the event loop: if another request arrived together with
 * this one, uWebSockets.js then finds this one unanswered and closes the connection instead of handling the
 * other.
 */
export function refuse(res: Responder, { status, headers, body }: PublicResponse, added: Headers): void {
  let aborted = false;
  res.onAborted(() => {
    aborted = true;
  });
  setImmediate(() => {
    if (aborted) return;
    res.cork(() => {
      res
        .writeStatus(responseHead(status, headers, added))
        .end(body instanceof StreamedBody ? '' : body, true);
    });
  });
}

export function plainRefusal(status: string, headers: PublicResponse['headers'] = []): PublicResponse {
  return {
    status,
    headers: [['Content-Type', 'text/plain; charset=utf-8'], ...headers],
    body: status,
  };
}

export const internalError: PublicResponse = {
  status: '500 Internal Server Error',
  headers: [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Cache-Control', 'no-store'],
  ],
  body: '500 Internal Server Error',
};

/**
 * Whether the bytes after a request must not be taken for the next request, so that the connection is closed
 * after the answer:
 *
 *  - uWebSockets.js accepts chunks that a proxy may frame differently.
 *  - It stops at a header without a name and does not see a length after it. So a request that may have a body
 *    and shows no length may hide one. A DELETE nearly always has neither, so the connection stays open after
 *    its empty answer.
 *
 * @param hasAnswerBody whether the answer has a body
 */
export function mustBeLast(
  method: string,
  headers: ReadonlyMap<string, string>,
  hasAnswerBody: boolean,
): boolean {
  if (headers.has('transfer-encoding')) return true;
  if (headers.has('content-length') || method === 'GET' || method === 'HEAD') return false;
  return method !== 'DELETE' || hasAnswerBody;
}

/** @param body its length is sent as Content-Length */
function writeHead(res: Responder, head: KeptHead, body: Body | StreamedBody | undefined): boolean {
  const length = body === undefined ? undefined : lengthOf(body);
  if (body instanceof StreamedBody) body.discard();
  if (length === undefined) res.writeStatus(head.text, head).endWithoutBody();
  else res.writeStatus(`${head.text}\r\nContent-Length: ${length}`).endWithoutBody();
  return true;
}

function lengthOf(body: Body | StreamedBody): number | undefined {
  return body instanceof StreamedBody ? body.length : computeByteLength(body);
}

function writeBody(res: Responder, head: KeptHead, body: Uint8Array | string, exchanges: Exchanges): boolean {
  const length = Buffer.byteLength(body);
  const [, done] = res.writeStatus(head.text, head).tryEnd(body, length);
  if (done) return true;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  exchanges.start(res).continueWith(bytes, (offset) => {
    const [drained, finished] = res.tryEnd(bytes.subarray(offset), length);
    return { drained, finished };
  });
  return false;
}

/** Most bytes of a body in parts that are written in one turn of the event loop, however fast the client reads. */
const maxBytesPerTurn = 2 ** 20;

function writeParts(res: Responder, head: string, body: BodyParts, exchange: Exchange): boolean {
  let isPaused = false;
  const writeFrom = (start: number): Progress => {
    // The rest follows when the pause ends.
    if (isPaused) return { drained: true, finished: false };
    let position = start;
    for (let left = maxBytesPerTurn; left > 0; left = start + maxBytesPerTurn - position) {
      const part = body.from(position, left);
      const [drained, finished] = res.tryEnd(part, body.length);
      if (finished || !drained) return { drained, finished };
      position += part.length;
    }
    isPaused = true;
    setImmediate(() => {
      isPaused = false;
      exchange.write(() => writeFrom(position).finished);
    });
    return { drained: true, finished: false };
  };
  res.writeStatus(head);
  return exchange.continueWith(body, writeFrom) && writeFrom(0).finished;
}

/**
 * Status and headers as one text for `writeStatus`, without the last line break.
 *
 * @param added headers of every answer; left out where `headers` has one of that name
 * @throws Error when a name or value holds a character that could end the line and add forged headers
 */
export function responseHead(status: string, headers: Headers, added: Headers): string {
  return keptHead(status, headers, added).text;
}

/** The same as it is kept per headers array: a cached page always has the same array, so this is one lookup. */
function keptHead(status: string, headers: Headers, added: Headers): KeptHead {
  const known = heads.get(headers);
  if (known !== undefined && known.status === status && known.added === added) return known.head;
  const head = new KeptHead(status + linesOf(headers) + linesOf(missingIn(headers, added)));
  heads.set(headers, { status, added, head });
  return head;
}

function linesOf(headers: Headers): string {
  let lines = '';
  for (const [name, value] of headers) {
    if (!namePattern.test(name) || !valuePattern.test(value))
      throw new Error(`header ${JSON.stringify(name)} holds a forbidden character`);
    lines += `\r\n${name}: ${value}`;
  }
  return lines;
}

function missingIn(headers: Headers, added: Headers): Headers {
  const present = new Set(headers.map(([name]) => name.toLowerCase()));
  return added.filter(([name]) => !present.has(name.toLowerCase()));
}

interface KnownHead {
  readonly status: string;
  readonly added: Headers;
  readonly head: KeptHead;
}

const heads = new WeakMap<Headers, KnownHead>();
const namePattern = /^[\w!#$%&'*+.^`|~-]+$/;
/** Every character but control characters; a tab is allowed. */
const valuePattern = /^[\t -~\u0080-\uffff]*$/;
