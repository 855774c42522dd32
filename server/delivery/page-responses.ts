import { busyHtml, serverErrorHtml } from '../../runtime/page/default-pages.ts';
import { type EncodedBody, type Encoding, isTagged } from '../../runtime/tasks/encode.ts';
import type { PageOutcome } from '../../runtime/tasks/messages/delivery.ts';
import type { PublicResponse } from '../http/public-exchange.ts';
import { CachedBody } from '../http/responses/cached-body.ts';
import {
  CachedResponse,
  contentEncoding,
  type HeaderList,
  varyByEncoding,
} from '../http/responses/cached-response.ts';
import type { PoolBusyError } from '../processes/pool.ts';

/** The response with a rendered page. @param stored the response that was stored in the cache */
export function toPageResponse(
  { outcome, stored }: { readonly outcome: PageOutcome; readonly stored: CachedResponse | undefined },
  accepted: readonly Encoding[],
  ifNoneMatch: string,
): PublicResponse {
  switch (outcome.kind) {
    case 'page': {
      const headers = pageHeaders[stored === undefined ? 'BYPASS' : 'MISS'];
      const body = stored?.body ?? (isTagged(outcome.body) ? new CachedBody(outcome.body) : undefined);
      if (body === undefined) return toUnconditionalPage('200 OK', outcome.body, accepted, headers);
      return new CachedResponse(body, headers, { pageOf: outcome.site.siteId }).respond(
        accepted,
        ifNoneMatch,
      );
    }
    case 'missing':
      return toUnconditionalPage('404 Not Found', outcome.body, accepted, bypassHeaders);
    case 'redirect':
      return {
        status: '301 Moved Permanently',
        scope: 'site',
        headers: [...bypassHeaders, ['Location', outcome.location]],
        body: '',
      };
    case 'moved':
      return {
        status: outcome.status === 301 ? '301 Moved Permanently' : '302 Found',
        scope: 'site',
        headers: [
          ['Cache-Control', outcome.status === 301 ? 'max-age=3600' : 'no-store'],
          ['X-Cache', 'BYPASS'],
          ['Location', outcome.location],
        ],
        body: '',
      };
    case 'failed':
      return serverError;
  }
}

/** A page that ignores If-None-Match, such as a 404 page or a preview. */
export function toUnconditionalPage(
  status: string,
  { identity, encoded }: EncodedBody,
  accepted: readonly Encoding[],
  headers: HeaderList,
): PublicResponse {
  const encoding = accepted.find((coding) => encoded[coding] !== undefined);
  return {
    status,
    scope: 'site',
    headers: [...headers, ...contentEncoding(encoding), varyByEncoding],
    body: (encoding && encoded[encoding]) ?? identity,
  };
}

/** The same response, which threads must ask for again: it is kept under another address. */
export function toUnshared(response: PublicResponse): PublicResponse {
  return { ...response, shared: undefined };
}

/** The same response, not from the cache as clients see it: a change has emptied it. */
export function toMiss(response: PublicResponse): PublicResponse {
  return {
    ...response,
    shared: undefined,
    headers: response.headers.map((header) => (header[0] === 'X-Cache' ? ['X-Cache', 'MISS'] : header)),
  };
}

function headersOf(cacheState: 'HIT' | 'MISS' | 'BYPASS'): HeaderList {
  return [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Cache-Control', 'no-cache'],
    ['X-Cache', cacheState],
  ];
}

/** Shared by all pages, of which there may be very many. */
export const pageHeaders = {
  HIT: headersOf('HIT'),
  MISS: headersOf('MISS'),
  BYPASS: headersOf('BYPASS'),
} as const;
export const bypassHeaders = pageHeaders.BYPASS;

export const serverError: PublicResponse = {
  status: '500 Internal Server Error',
  scope: 'site',
  headers: bypassHeaders,
  body: serverErrorHtml,
};

export const badHost: PublicResponse = {
  status: '400 Bad Request',
  scope: 'site',
  headers: [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['X-Cache', 'BYPASS'],
  ],
  body: 'The Host header is not a host name.\n',
};

export function busyPage(error: PoolBusyError): PublicResponse {
  return {
    status: '503 Service Unavailable',
    scope: 'site',
    headers: [...bypassHeaders, ['Retry-After', String(error.retryAfterSeconds)]],
    body: busyHtml,
  };
}
