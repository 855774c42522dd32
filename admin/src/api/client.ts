import createClient from 'openapi-fetch';
import { ApiFailure, toRecord } from './failure.ts';
import type { paths } from './generated/schema.ts';
import { confirmation } from './renewal/confirmation.ts';
import { sessionRenewal } from './renewal/session-renewal.ts';
import { noteRequest } from './sent.ts';
import { noteBuild } from './server-build.ts';

/** The API of the server. Calls go through {@link requireData}, which turns errors into `ApiFailure`. */
export const api = createClient<paths>({
  baseUrl: '/api/v1',
  // Any text; other websites cannot send this header (Core, "Authentication", rule 5).
  headers: { 'X-IC-CSRF': '1' },
  fetch: sendRequest,
});

/** Most operations of one batch of the server. */
export const maxOperations = 500;

/** Longest wait before a reading request that was refused with 429 is sent again, in seconds. */
const maxWaitSeconds = 60;

/** Sends a request; one whose session has ended, or that needs a confirmation, is sent again after it. */
export async function sendRequest(request: Request): Promise<Response> {
  const again = request.clone();
  noteRequest(request);
  const response = await fetch(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error;
    throw ApiFailure.offline();
  });
  noteBuild(response.headers.get('X-IC-Build'));
  if (response.status === 401 && (await codeOf(response)) === 'auth.required') {
    await sessionRenewal.wait();
    return sendRequest(again);
  }
  const isRefused = response.status === 403 && (await codeOf(response)) === 'auth.confirm';
  if (isRefused && (await confirmation.wait())) return sendRequest(again);
  if (response.status === 429 && request.method === 'GET') {
    const seconds = Math.min(maxWaitSeconds, Number(response.headers.get('Retry-After')) || 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return sendRequest(again);
  }
  if (!response.ok) refused.set(response, again);
  return response;
}

/** The requests of answers that are errors. */
const refused = new WeakMap<Response, Request>();

/** What was sent to be answered with an error; undefined if that is no JSON. */
async function readSent(response: Response): Promise<unknown> {
  const request = refused.get(response);
  if (request?.headers.get('Content-Type')?.startsWith('application/json') !== true) return undefined;
  return request.json().catch(() => undefined);
}

async function codeOf(response: Response): Promise<unknown> {
  return toRecord(
    await response
      .clone()
      .json()
      .catch(() => ({})),
  )['code'];
}

/** What a call resolves with. */
interface Answer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** The answer of a call. @throws ApiFailure */
export async function requireData<Call extends Answer>(
  call: Promise<Call>,
): Promise<NonNullable<Call['data']>> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiFailure(response.status, toRecord(error), await readSent(response));
  // Type boundary: answers without a body (204) have no data, and nobody reads it.
  return data as NonNullable<Call['data']>;
}
