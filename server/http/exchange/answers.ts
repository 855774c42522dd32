/** Writes answers: whole, without body, or in parts as fast as the client takes them. */
import type { HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import type { ApiResponse } from '../api.ts';
import { responseHead } from '../head.ts';
import type { PublicResponse } from '../public.ts';
import { allHeaders } from '../security-headers.ts';
import type { Exchange } from './running.ts';

/** Writes a public answer; false if parts of it follow later. `exchange` is called only for large bodies. */
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
  if (closeConnection && response.body === undefined) {
    // This is the only way to make the library close the connection after an empty answer, but it writes a
    // length of 0 even with a 204.
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
 * Answers a request that breaks the protocol and closes the connection, because the following bytes cannot be
 * trusted. The answer waits for the next turn of the event loop: if another request arrived together with
 * this one, uWebSockets.js then finds this one unanswered and closes the connection instead of handling the
 * other.
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
    const head = responseHead(status, [
      ['Content-Type', 'text/plain; charset=utf-8'],
      ...allHeaders,
      ...headers,
    ]);
    res.cork(() => {
      res.writeStatus(head).end(status, true);
    });
  });
}

export const internalError: PublicResponse = {
  status: '500 Internal Server Error',
  headers: [['Content-Type', 'text/plain; charset=utf-8'], ['Cache-Control', 'no-store'], ...allHeaders],
  body: '500 Internal Server Error',
};

/** @param bodyless whether method or status allow no body, so that Content-Length only states the length */
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

/** Bodies of at least this size are written in parts, as fast as the client takes them. */
const streamFromBytes = 256 * 1024;

/** Writes as much as the socket takes, and more whenever it has drained. Returns true when done. */
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
