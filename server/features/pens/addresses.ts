/**
 * The public addresses of pens, below `/cms-admin/pen/` (Core, "Public non-API routes").
 *
 * - A pen runs scripts that somebody wrote, so its document has no origin: `Content-Security-Policy: sandbox` without
 *   `allow-same-origin`. It reaches neither cookies nor storage, and no other window.
 * - A private pen is there for administrators only; for everybody else it is 404, like an unknown one.
 * - Nothing is cached: a pen is rendered for each request, and anonymous requests count toward the rate limit.
 */

import type { RateLimit } from '../../api/rate-limit.ts';
import type { SharedServices } from '../../feature.ts';
import { resolveClient } from '../../http/client-address.ts';
import { nothingThere, textHeaders } from '../../http/plain-answers.ts';
import type { PublicRequest, PublicResponse } from '../../http/public-exchange.ts';
import type { SecurityHeaders } from '../../http/security-headers.ts';
import { PoolBusyError } from '../../processes/pool.ts';
import type { Auth } from '../auth/service.ts';
import type { Pen } from './model.ts';
import { findPen, renderPen } from './service.ts';
import { codeView, codeViewPolicy, sandboxRights } from './view.ts';

export interface PenAddressDeps extends Pick<SharedServices, 'reader' | 'pool' | 'clock' | 'log'> {
  readonly auth: Pick<Auth, 'sessionOf'>;
  readonly rateLimit: RateLimit;
  readonly security: SecurityHeaders;
}

/** Answers an address below `/cms-admin/`; undefined if it is none of a pen, or if the editor must be shown. */
export type PenHandler = (request: PublicRequest) => Promise<PublicResponse | undefined> | undefined;

export function penAddresses(deps: PenAddressDeps): PenHandler {
  return (request) => {
    const [, uuid = '', result] = /^\/cms-admin\/pen\/([0-9a-f-]{36})(\/result)?$/.exec(request.path) ?? [];
    if (uuid === '') return undefined;
    const { host, scheme, query } = request;
    const cookie = request.cookie;
    const client = resolveClient(request.peer(), request.header('x-forwarded-for'));
    return answer(deps, {
      uuid,
      host,
      scheme,
      query,
      cookie,
      clientKey: client.key,
      wantsResult: result !== undefined,
    });
  };
}

interface PenAddressRequest extends Pick<PublicRequest, 'host' | 'scheme' | 'query'> {
  readonly uuid: string;
  readonly cookie: string;
  readonly clientKey: string;
  readonly wantsResult: boolean;
}

async function answer(deps: PenAddressDeps, asked: PenAddressRequest): Promise<PublicResponse | undefined> {
  const { uuid, query, cookie, clientKey, wantsResult } = asked;
  const isAdmin = (await deps.auth.sessionOf(cookie, asked)).kind === 'session';
  const waitMs = isAdmin ? 0 : deps.rateLimit.take(clientKey, false);
  if (waitMs > 0) return tooMany(waitMs);
  const pen = await findPen(deps.reader, uuid);
  if (pen === undefined || !(pen.public || isAdmin)) return hidden;
  if (wantsResult) return resultOf(deps, pen, asked, isAdmin);
  if (isAdmin && !['1', 'true'].includes(new URLSearchParams(query).get('view') ?? '')) return undefined;
  if (!pen.show_code) return resultOf(deps, pen, asked, isAdmin);
  return {
    status: '200 OK',
    headers: [...htmlHeaders, ['Content-Security-Policy', codeViewPolicy]],
    body: codeView(pen),
  };
}

async function resultOf(
  deps: PenAddressDeps,
  pen: Pen,
  { host, scheme }: PenAddressRequest,
  isAdmin: boolean,
): Promise<PublicResponse> {
  const headers: PublicResponse['headers'] = [
    ...htmlHeaders,
    ['Content-Security-Policy', policyOf(deps.security, scheme)],
    ['Referrer-Policy', 'no-referrer'],
    // The view of the code frames the result, whatever websites permit.
    ['X-Frame-Options', 'SAMEORIGIN'],
  ];
  try {
    const result = await renderPen(deps, pen, { host, scheme, preview: false });
    if (result.kind !== 'failed')
      return result.kind === 'document'
        ? { status: '200 OK', scope: 'site', headers, body: result.text }
        : hidden;
    deps.log.warn({ pen: pen.uuid, error: result.message }, 'a pen could not be rendered');
    return isAdmin ? { status: '500 Internal Server Error', headers, body: result.text } : failed;
  } catch (error) {
    if (error instanceof PoolBusyError) return busy;
    throw error;
  }
}

/** The policy of the website counts too: a list of policies must all permit what a document does. */
function policyOf(security: SecurityHeaders, scheme: PublicRequest['scheme']): string {
  const [, own] = security.current[scheme].site.find(([name]) => name === 'Content-Security-Policy') ?? [];
  const sandbox = `sandbox ${sandboxRights}`;
  return own === undefined ? sandbox : `${sandbox}, ${own}`;
}

const robots = ['X-Robots-Tag', 'noindex, nofollow'] as const;

const htmlHeaders: PublicResponse['headers'] = [
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  robots,
];

const plainHeaders: PublicResponse['headers'] = [...textHeaders, robots];

const hidden: PublicResponse = { ...nothingThere, headers: [...nothingThere.headers, robots] };
const failed: PublicResponse = {
  status: '500 Internal Server Error',
  headers: plainHeaders,
  body: 'The pen cannot be shown\n',
};
const busy: PublicResponse = {
  status: '503 Service Unavailable',
  headers: [...plainHeaders, ['Retry-After', '1']],
  body: 'Too busy, please try again\n',
};

function tooMany(waitMs: number): PublicResponse {
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)));
  return {
    status: '429 Too Many Requests',
    headers: [...plainHeaders, ['Retry-After', seconds]],
    body: 'Too many requests, please try again later\n',
  };
}
