/** From a request at an HTTP input to the message that its workflow starts with. */
import { apiError } from '../../errors.ts';
import type { ApiRequest } from '../../http/api.ts';
import { readJsonBody } from '../../http/json.ts';
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
  const query = request.query === '' ? {} : await decodeForm(request.query);
  delete query['token'];
  const bytes = await bytesOf(request);
  const body = bytes.length === 0 ? undefined : await bodyOf(request, bytes);
  const headers = visibleHeaders(request.headers);
  const { method } = request;
  const req = { method, path, params, query, headers, body: body ?? null };
  return Message.ofKnown({ payload: body === undefined ? query : body, req }, bytes.length > longBody);
}

function visibleHeaders(headers: ApiRequest['headers']): Readonly<Record<string, string>> {
  const visible: Record<string, string> = {};
  for (const [name, value] of headers) if (!hidden.has(name) && name !== '__proto__') visible[name] = value;
  return visible;
}

function bytesOf(request: ApiRequest): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw apiError('common.contentType', { expected: 'a body without content encoding' });
  return request.body(maxBytes);
}

async function bodyOf({ headers }: ApiRequest, bytes: Uint8Array): Promise<unknown> {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/json') return readJsonBody(bytes, maxElements);
  const text = Buffer.from(bytes).toString();
  return type === 'application/x-www-form-urlencoded' ? decodeForm(text) : text;
}
