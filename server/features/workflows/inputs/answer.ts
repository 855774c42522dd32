/** From the response of a workflow to the answer of its HTTP input. */

import { forAllOrigins } from '../../../api/cross-origin.ts';
import { jsonHeaders, jsonType, Reply } from '../../../api/reply.ts';
import type { Body } from '../../../http/body/parts.ts';
import { jsonBody } from '../../../http/json/sliced.ts';
import type { FlowResponse } from '../message/message.ts';

/** Documents that could run scripts; here they run without the origin of the API and of the admin. */
const documents = /html|xml|xsl|svg|multipart|message|mixed/i;
const sandbox = 'sandbox allow-forms allow-modals allow-popups allow-scripts';

export type Headers = FlowResponse['headers'];

const textType = 'text/plain; charset=utf-8';

/** The headers of answers to which a flow adds none, by their type and by whether every origin may read them. */
const usual = {
  json: { open: [['Content-Type', jsonType], ...forAllOrigins], closed: jsonHeaders },
  text: { open: [['Content-Type', textType], ...forAllOrigins], closed: [['Content-Type', textType]] },
} as const satisfies Record<string, Record<string, Headers>>;

/** At once unless the payload is long. */
export function replyTo(response: FlowResponse, more: Headers): Reply | Promise<Reply> {
  const { payload } = response;
  const body = response.text ?? (typeof payload === 'string' ? payload : jsonBody(payload ?? null));
  if (typeof body === 'string' && payload !== undefined && payload !== null) response.text = body;
  return body instanceof Promise
    ? body.then((made) => replyWith(response, made, more))
    : replyWith(response, body, more);
}

function replyWith({ status, headers, payload }: FlowResponse, body: Body, more: Headers): Reply {
  const isEmpty = payload === undefined || payload === null || status === 204 || status === 304;
  if (!isEmpty && headers.length === 0) {
    const { open, closed } = usual[typeof payload === 'string' ? 'text' : 'json'];
    return Reply.whole(body, status, more === forAllOrigins ? open : closed);
  }
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const isDocument = type !== undefined && documents.test(type);
  const all = [
    ...headers,
    ...more.filter(([name]) => !named.has(name.toLowerCase())),
    ...(isDocument ? [['Content-Security-Policy', sandbox] as const] : []),
  ];
  if (isEmpty) return Reply.empty({ status, headers: all });
  const others = all.filter(([name]) => name.toLowerCase() !== 'content-type');
  const standard = typeof payload === 'string' ? textType : jsonType;
  return Reply.text(body, type ?? standard, { status, headers: others });
}
