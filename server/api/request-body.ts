import { type ApiError, apiError } from '../base/errors.ts';
import type { ApiRequest } from '../http/api-exchange.ts';
import { readJsonBody } from '../http/json/json.ts';
import { nameItem } from './field-faults.ts';
import type { Route } from './route.ts';
import type { Endpoint } from './validate.ts';

/** Largest JSON body in bytes: of callers with a credential (Core, "Limits"), and of all others. */
const maxJsonBytes = { known: 16 * 2 ** 20, anyone: 64 * 2 ** 10 } as const;

/** The body of a request as its route takes it. @throws ApiError */
export async function readBody(
  { body, route }: Endpoint,
  request: ApiRequest,
  query: unknown,
  params: unknown,
): Promise<unknown> {
  try {
    return await body?.(await readJson(request, route), query, params);
  } catch (error) {
    throw route.listsItems === true ? nameItem(error) : error;
  }
}

async function readJson(
  request: ApiRequest,
  { access, bodyOptional = false, cleanedField }: Route,
): Promise<unknown> {
  const type = request.headers.get('content-type');
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  const isJson = type !== undefined && /^application\/json[ \t]*(?:;|$)/i.test(type);
  if ((type !== undefined && !isJson) || encoding.toLowerCase() !== 'identity') throw wrongContentType();
  const bytes = await request.body(access === 'public' ? maxJsonBytes.anyone : maxJsonBytes.known);
  if (!isJson && bytes.length > 0) throw wrongContentType();
  return bodyOptional && bytes.length === 0 ? {} : readJsonBody(bytes, { cleanedField });
}

function wrongContentType(): ApiError {
  return apiError('common.contentType', { expected: 'application/json' });
}
