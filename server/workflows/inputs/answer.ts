/** From the response of a workflow to the answer of its HTTP input. */
import { Reply } from '../../http/reply.ts';
import type { FlowResponse } from '../run/message.ts';

/** Every origin may read what a public input answers. */
export const forAllOrigins = [['Access-Control-Allow-Origin', '*']] as const;

/** Documents that could run scripts; here they run without the origin of the API and of the admin. */
const documents = /^\s*(?:text\/html|text\/xml|application\/(?:xml|xhtml\+xml)|image\/svg\+xml)/i;
const sandbox = 'sandbox allow-forms allow-modals allow-popups allow-scripts';

export function replyTo(
  { status, headers, payload }: FlowResponse,
  more: readonly (readonly [string, string])[],
): Reply {
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const isDocument = type !== undefined && documents.test(type) && !named.has('content-security-policy');
  const all = [
    ...headers,
    ...more.filter(([name]) => !named.has(name.toLowerCase())),
    ...(isDocument ? [['Content-Security-Policy', sandbox] as const] : []),
  ];
  const isEmpty = payload === undefined || payload === null || status === 204 || status === 304;
  if (isEmpty) return Reply.empty({ status, headers: all });
  const isText = typeof payload === 'string';
  const body = isText ? payload : JSON.stringify(payload);
  const standard = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  const others = all.filter(([name]) => name.toLowerCase() !== 'content-type');
  return Reply.text(body, type ?? standard, { status, headers: others });
}

/** The answer to a preflight (Fetch standard, CORS-preflight). */
export function preflight(methods: readonly string[], requestedHeaders: string): Reply {
  const names = requestedHeaders.split(',').map((name) => name.trim());
  const isSane = names.every((name) => /^[A-Za-z0-9-]{1,100}$/.test(name)) && names.length <= 50;
  return Reply.empty({
    headers: [
      ...forAllOrigins,
      ['Access-Control-Allow-Methods', methods.join(', ')],
      ...(isSane ? [['Access-Control-Allow-Headers', names.join(', ')] as const] : []),
      ['Access-Control-Max-Age', '86400'],
    ],
  });
}
