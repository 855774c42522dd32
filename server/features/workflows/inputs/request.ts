/** From a request at an HTTP input to the message that its workflow starts with. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { apiError, invalid } from '../../../base/errors.ts';
import type { ApiRequest } from '../../../http/api-exchange.ts';
import { parseJson, readJsonBody } from '../../../http/json/json.ts';
import { Message } from '../message/message.ts';

/** Largest body in bytes (Data, Automation and Operations, "Limits"). */
const maxBytes = 10 * 2 ** 20;
const maxElements = 1_000_000;
/** A longer body takes long as JSON, which has it twice; in bytes. */
const longBody = 2 ** 16;

/** Headers that a workflow does not see, because they hold credentials. */
const hidden: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * The message, at once if it is short. Its payload is the body, or without one the query.
 *
 * @param path below `/flows`
 * @throws ApiError `common.invalidJson`, `common.invalid`
 */
export function readMessage(
  request: ApiRequest,
  bytes: Uint8Array,
  path: string,
  params: Params,
): Message | Promise<Message> {
  const body = bytes.length === 0 ? undefined : bodyOf(request, bytes);
  if (request.query === '' && !(body instanceof Promise))
    return messageWith(request, path, params, {}, body, false);
  return messageLater(request, path, params, body, bytes.length > longBody);
}

async function messageLater(
  request: ApiRequest,
  path: string,
  params: Params,
  body: unknown,
  isLong: boolean,
): Promise<Message> {
  const query = await queryOf(request.query);
  return messageWith(request, path, params, query, await body, isLong);
}

function messageWith(
  { method, headers: sent }: ApiRequest,
  path: string,
  params: Params,
  query: Readonly<Record<string, unknown>>,
  body: unknown,
  isLong: boolean,
): Message {
  const headers = visibleHeaders(sent);
  const req = { method, path, params, query, headers, body: body ?? null };
  return Message.ofKnown({ payload: body === undefined ? query : body, req }, isLong);
}

type Params = Readonly<Record<string, string>>;

async function queryOf(text: string): Promise<Record<string, unknown>> {
  const query = await decodeForm(text);
  delete query['token'];
  return query;
}

function visibleHeaders(headers: ApiRequest['headers']): Readonly<Record<string, string>> {
  const visible: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (!hidden.has(name) && name !== '__proto__') visible[name] = value;
  });
  return visible;
}

/** Calls one of the functions. @throws ApiError `common.contentType` */
export function receiveBody(
  request: ApiRequest,
  done: (bytes: Uint8Array) => void,
  failed: (error: unknown) => void,
): void {
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw apiError('common.contentType', { expected: 'a body without content encoding' });
  request.receive(maxBytes, done, failed);
}

/** Of most bodies at once. */
function bodyOf({ headers }: ApiRequest, bytes: Uint8Array): unknown {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/json')
    return bytes.length > longBody ? readJsonBody(bytes, { maxElements }) : parseJson(bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return type === 'application/x-www-form-urlencoded' ? decodeForm(text) : text;
}

/** Most fields of different names: to make one object of them cannot be interrupted. */
const maxNames = 50_000;
/** Characters that are decoded in one turn of the event loop; about 1 ms. */
const charactersPerTurn = 50_000;

/**
 * The fields of a query or form as an object; a field that is there several times is a list. Long forms are decoded
 * in slices.
 *
 * @throws ApiError `common.invalid` for too many names
 */
async function decodeForm(text: string): Promise<Record<string, unknown>> {
  const fields = new Map<string, string | string[]>();
  let decoded = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('&', start);
    const pair = text.slice(start, end < 0 ? text.length : end);
    start += pair.length + 1;
    if (pair !== '') add(fields, pair);
    if (fields.size > maxNames) throw invalid('body', `has more than ${maxNames} fields`);
    decoded += pair.length + 1;
    if (decoded < charactersPerTurn) continue;
    decoded = 0;
    await nextTurn();
  }
  return Object.fromEntries(fields);
}

function add(fields: Map<string, string | string[]>, pair: string): void {
  for (const [name, value] of new URLSearchParams(pair)) {
    const known = fields.get(name);
    if (known === undefined) fields.set(name, value);
    else if (Array.isArray(known)) known.push(value);
    else fields.set(name, [known, value]);
  }
}
