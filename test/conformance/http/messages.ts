/** Texts of requests, for the cases of HTTP. */
import { requestHead } from '../../support/raw.ts';
import { masterToken } from '../../support/server.ts';

export const bearer = `Authorization: Bearer ${masterToken}`;

/** A request that every server of a test answers at once. */
export function health(...lines: readonly string[]): string {
  return requestHead('GET /healthz HTTP/1.1', 'Host: a', ...lines);
}

/** A request line and what follows, to the same address. */
export function withLine(line: string, ...lines: readonly string[]): string {
  return requestHead(line, 'Host: a', ...lines);
}

/** A request whose answer shows its body: a text as HTML. */
export function post(body: string, ...lines: readonly string[]): string {
  return postTo('/api/v1/markdown', body, bearer, 'Content-Type: application/json', ...lines);
}

export function postTo(path: string, body: string, ...lines: readonly string[]): string {
  return requestHead(`POST ${path} HTTP/1.1`, 'Host: a', ...lines) + body;
}

/** A body for `post`, of 16 bytes. */
export const hello = '{"text":"hello"}';
/** Its lengths in the ways of a head. */
export const helloLength = `Content-Length: ${hello.length}`;
export const chunked = 'Transfer-Encoding: chunked';
/** The body as one chunk. */
export const helloChunk = `${hello.length.toString(16)}\r\n${hello}\r\n`;
export const lastChunk = '0\r\n\r\n';
