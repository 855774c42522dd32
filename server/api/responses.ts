import { randomUUID } from 'node:crypto';
import { ApiError, apiError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { ApiRequest, ApiResponse, PlainApiResponse } from '../http/api-exchange.ts';
import { jsonHeaders, Reply } from './reply.ts';

/** The result of a route as an answer. @param status unless the result has its own */
export function toResponse(result: unknown, status: number): ApiResponse {
  if (result instanceof Reply) return { ...result, status: result.status ?? status };
  return result === undefined ? jsonResponse(204, undefined, []) : jsonResponse(status, result, []);
}

/** What the caller may know of an error. Notes in the log what nobody expected. */
export function toApiError(error: unknown, request: ApiRequest, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  const id = randomUUID();
  log.error({ err: error, id, method: request.method, path: request.path }, 'unexpected error');
  return apiError('common.internal', { id });
}

export function toRefusal(error: ApiError): PlainApiResponse {
  return jsonResponse(error.status, error.toBody(), error.headers);
}

function jsonResponse(
  status: number,
  value: unknown,
  headers: readonly (readonly [string, string])[],
): PlainApiResponse {
  if (value === undefined) return { status, headers, body: undefined };
  const all = headers.length === 0 ? jsonHeaders : [...jsonHeaders, ...headers];
  return { status, headers: all, body: JSON.stringify(value) };
}

/**
 * Adds the headers of every answer; a header that the answer has already stays as it is. The same input array
 * always gives the same output array, so that `responseHead` finds the text that it has cached for the array.
 */
export function standardHeaders(
  build: string,
): <Response extends ApiResponse>(response: Response) => Response {
  const completed = new WeakMap<ApiResponse['headers'], ApiResponse['headers']>();
  const standard: ApiResponse['headers'] = [
    ['X-IC-Build', build],
    ['Cache-Control', 'no-store'],
  ];
  return (response) => {
    const headers = completed.get(response.headers) ?? complete(response.headers, standard);
    completed.set(response.headers, headers);
    completed.set(headers, headers);
    return { ...response, headers };
  };
}

function complete(headers: ApiResponse['headers'], standard: ApiResponse['headers']): ApiResponse['headers'] {
  const present = new Set(headers.map(([name]) => name));
  return [...headers, ...standard.filter(([name]) => !present.has(name))];
}
