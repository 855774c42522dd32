/** From a request at an HTTP input to the message that its workflow starts with. */
import { apiError } from '../../errors.ts';
import type { ApiRequest } from '../../http/api.ts';
import { parseJson, readJsonBody } from '../../http/json.ts';
import { Message } from '../run/message.ts';
import { decodeForm } from './form.ts';

/** Largest body in bytes (Data, Automation and Operations, "Limits"). */
const maxBytes = 10 * 2 ** 20;
const maxElements = 1_000_000;
/** A longer body takes long as JSON, which has it twice; in bytes. */
const longBody = 2 ** 16;

/** Headers that a workflow does not see, because they hold credentials. */
const hidden: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * The message. Its payload is the body, or without one the query.
 *
 * @param path below `/flows`
 * @throws ApiError `common.invalidJson`, `common.invalid`, `common.tooLarge`, `common.contentType`
 */
export async function messageOf(
  request: ApiRequest,
  path: string,
  params: Readonly<Record<string, string>>,
): Promise<Message> {
  const query = request.query === '' ? {} : await queryOf(request.query);
  const bytes = await bytesOf(request);
  const read = bytes.length === 0 ? undefined : bodyOf(request, bytes);
  const body = read instanceof Promise ? await read : read;
  const headers = visibleHeaders(request.headers);
  const { method } = request;
  const req = { method, path, params, query, headers, body: body ?? null };
  return Message.ofKnown({ payload: body === undefined ? query : body, req }, bytes.length > longBody);
}

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

function bytesOf(request: ApiRequest): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw apiError('common.contentType', { expected: 'a body without content encoding' });
  return request.body(maxBytes);
}

/** Of most bodies at once. */
function bodyOf({ headers }: ApiRequest, bytes: Uint8Array): unknown {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/json')
    return bytes.length > longBody ? readJsonBody(bytes, maxElements) : parseJson(bytes);
  const text = Buffer.from(bytes).toString();
  return type === 'application/x-www-form-urlencoded' ? decodeForm(text) : text;
}
