/** Writing an answer: whole, without its body, or in parts as fast as the client takes them. */
import type { HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import type { ApiResponse } from '../api.ts';
import { responseHead } from '../head.ts';
import type { PublicResponse } from '../public.ts';
import type { Exchange } from './running.ts';

/** Writes an answer of the site; false when parts of it follow later. `exchange` is asked for only then. */
export function writePublic(
  res: HttpResponse,
  method: 'GET' | 'HEAD',
  response: PublicResponse,
  exchange: () => Exchange,
): boolean {
  const head = responseHead(response.status, response.headers);
  const { body } = response;
  if (method === 'HEAD' || body === undefined) {
    writeWithoutBody(res, head, body, method === 'HEAD' || response.status.startsWith('304'));
  } else if (body.length >= streamFromBytes) {
    return writeInParts(res, head, toBytes(body), exchange());
  } else {
    res.writeStatus(head);
    res.end(body);
  }
  return true;
}

export function writeApi(
  res: HttpResponse,
  method: string,
  response: ApiResponse,
  closeConnection: boolean,
  exchange: Exchange,
): boolean {
  const head = responseHead(`${response.status} ${STATUS_CODES[response.status] ?? ''}`, response.headers);
  if (closeConnection && response.body === undefined && method !== 'DELETE') {
    // Only so does the library close the connection after an empty answer, and it writes a length of 0 even to a 204.
    // A DELETE that shows no length is nearly always one without a body; its 204 stays as it should be.
    res.writeStatus(head).end(undefined, true);
  } else if (method === 'HEAD' || response.body === undefined) {
    writeWithoutBody(res, head, response.body, method === 'HEAD' || response.status === 204);
  } else if (response.body.length >= streamFromBytes && !closeConnection) {
    return writeInParts(res, head, toBytes(response.body), exchange);
  } else {
    res.writeStatus(head);
    res.end(response.body, closeConnection);
  }
  return true;
}

/**
 * Answers a request that breaks the protocol and closes the connection, because what follows on it cannot be
 * trusted. The answer waits for the next turn of the event loop: a request that arrived together with this one
 * then finds it unanswered, and uWebSockets.js closes the connection instead of handling it.
 */
export function refuse(
  res: HttpResponse,
  status: string,
  headers: readonly (readonly [string, string])[],
): void {
  let aborted = false;
  res.onAborted(() => {
    aborted = true;
  });
  setImmediate(() => {
    if (aborted) return;
    const head = responseHead(status, [['Content-Type', 'text/plain; charset=utf-8'], ...headers]);
    res.cork(() => {
      res.writeStatus(head).end(status, true);
    });
  });
}

export const internalError: PublicResponse = {
  status: '500 Internal Server Error',
  headers: [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Cache-Control', 'no-store'],
  ],
  body: '500 Internal Server Error',
};

/** @param bodyless whether a body is ruled out by method or status, so that the length is only a statement */
function writeWithoutBody(
  res: HttpResponse,
  head: string,
  body: Uint8Array | string | undefined,
  bodyless: boolean,
): void {
  if (!bodyless) {
    res.writeStatus(head).end();
    return;
  }
  const length = body === undefined ? '' : `\r\nContent-Length: ${Buffer.byteLength(body)}`;
  res.writeStatus(head + length).endWithoutBody();
}

/** Larger bodies are handed to the socket in parts, as fast as the client takes them. */
const streamFromBytes = 256 * 1024;

/** Hands the socket as much as it takes, and more whenever it has drained. */
function writeInParts(res: HttpResponse, head: string, bytes: Uint8Array, exchange: Exchange): boolean {
  res.writeStatus(head);
  const [, done] = res.tryEnd(bytes, bytes.length);
  if (done) {
    exchange.finish();
    return true;
  }
  exchange.onAbort = () => exchange.finish();
  res.onWritable((offset) => {
    const [drained, finished] = res.tryEnd(bytes.subarray(offset), bytes.length);
    if (finished) exchange.finish();
    return drained;
  });
  return false;
}

function toBytes(body: Uint8Array | string): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}
