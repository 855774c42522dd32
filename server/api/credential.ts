import type { RefusalReason } from '../base/errors.ts';
import type { ApiRequest } from '../http/api-exchange.ts';

/** The parts of a request that say who sends it. */
export type CredentialRequest = Pick<ApiRequest, 'method' | 'host' | 'scheme' | 'headers'>;

/** The token of an `Authorization: Bearer` header; undefined if the header has another scheme or is missing. */
export function findBearer(header: string | undefined): string | undefined {
  const match = header === undefined ? null : /^bearer(?:[ \t]+(.*))?$/i.exec(header);
  return match === null ? undefined : (match[1] ?? '');
}

/** The token of a request: the bearer header, else `?token=` of a reading request. */
export function findToken(request: CredentialRequest, query: URLSearchParams): string | undefined {
  return (
    findBearer(request.headers.get('authorization')) ??
    (isReading(request) ? (query.get('token') ?? undefined) : undefined)
  );
}

/** Why an anonymous request is anonymous. Tells nothing about existing tokens and sessions. */
export function refusalReason(request: CredentialRequest, query: URLSearchParams): RefusalReason {
  const header = request.headers.get('authorization');
  if (findToken(request, query) !== undefined) return 'unknownToken';
  if (header !== undefined) return 'scheme';
  if (query.has('token')) return 'tokenInAddress';
  return (request.headers.get('cookie') ?? '').includes('ic_session=') ? 'sessionEnded' : 'missing';
}

export function isReading(request: Pick<ApiRequest, 'method'>): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}
