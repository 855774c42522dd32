import type { PublicRequest } from '../../../http/public-exchange.ts';
import type { ConditionHeaders } from './preconditions.ts';

/** Everything that decides about an answer, read while the request is valid. */
export interface MediaRequest {
  readonly isHead: boolean;
  readonly conditions: ConditionHeaders;
  readonly query: string;
  readonly host: string;
  readonly authorization: string;
  readonly cookie: string;
}

export function readRequest(request: PublicRequest): MediaRequest {
  return {
    isHead: request.method === 'HEAD',
    conditions: conditionsOf(request),
    query: request.query,
    host: request.host,
    authorization: request.header('authorization'),
    cookie: request.cookie,
  };
}

export function conditionsOf(request: PublicRequest): ConditionHeaders {
  return {
    ifNoneMatch: request.ifNoneMatch,
    ifModifiedSince: request.header('if-modified-since'),
    ifRange: request.header('if-range'),
    range: request.method === 'GET' ? request.header('range') : '',
  };
}
