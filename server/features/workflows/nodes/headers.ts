import type { FieldFault } from '../../../base/errors.ts';

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Headers that belong to the connection, or to the server itself. */
const reserved: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-ic-build',
  'x-ic-delivery',
  'x-ic-webhook-hop',
]);

/** The faults in the headers of a node. */
export function faultsInHeaders(headers: readonly Pair[]): FieldFault[] {
  return headers.flatMap(({ name, value }, index) => {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      return [{ field: `headers.${index}.name`, reason: `is no name of a header` }];
    if (reserved.has(name.toLowerCase()))
      return [{ field: `headers.${index}.name`, reason: 'is set by the server' }];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    return /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)
      ? [{ field: `headers.${index}.value`, reason: 'must not have line breaks or control characters' }]
      : [];
  });
}

/**
 * Headers that change the security of the whole origin, of the proxy in front or of who may read the answer. Flows
 * share the origin with the admin, so their answers go out without them.
 */
const ofTheService = new RegExp(
  `^(?:${[
    'accept-ch|alt-svc|clear-site-data|critical-ch|expect-ct|nel|origin-agent-cluster|origin-trial',
    'content-security-policy.*|x-content-security-policy|x-webkit-csp|permissions-policy.*|feature-policy',
    'access-control-(?!expose-headers$).*|cross-origin-.*|timing-allow-origin|document-policy.*',
    'public-key-pins.*|report-to|reporting-endpoints|referrer-policy|strict-transport-security',
    'service-worker-allowed|service-worker-navigation-preload|set-cookie2|set-login|speculation-rules',
    'x-content-type-options|x-frame-options|x-permitted-cross-domain-policies|x-xss-protection',
    'x-accel-.*|x-sendfile|x-lighttpd-send-file|x-litespeed-.*|x-reproxy-.*',
    'proxy-.*|sec-.*|x-ic-.*',
  ].join('|')})$`,
);

/** True for a header that a flow may not set in its answer. */
export function isOfTheService(name: string): boolean {
  const lower = name.toLowerCase();
  return reserved.has(lower) || ofTheService.test(lower);
}

/**
 * True if a browser could send the cookie back as one of the service (`ic_*`): also with a prefix, with spaces or
 * quotes before it, in another case, or as the value of a cookie without a name.
 */
export function setsOwnCookie(name: string, value: string): boolean {
  return name.toLowerCase() === 'set-cookie' && /^[\s"'=]*(?:__(?:host|secure|http)-)*ic_/i.test(value);
}
