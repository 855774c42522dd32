import createClient from 'openapi-fetch';
import { ApiFailure, toRecord } from './failure.ts';
import type { paths } from './generated/schema.ts';
import { noteRequest } from './sent.ts';
import { noteBuild } from './server-build.ts';
import { sessionRenewal } from './session-renewal.ts';

/** The API of the server. Calls go through {@link requireData}, which turns errors into `ApiFailure`. */
export const api = createClient<paths>({
  baseUrl: '/api/v1',
  // Any text; other websites cannot send this header (Core, "Authentication", rule 5).
  headers: { 'X-IC-CSRF': '1' },
  fetch: sendRequest,
});

/** Longest wait before a reading request that was refused with 429 is sent again, in seconds. */
const maxWaitSeconds = 60;

/** Sends a request; a request whose session has ended is sent again after the next login. */
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
  if (response.status === 429 && request.method === 'GET') {
    const seconds = Math.min(maxWaitSeconds, Number(response.headers.get('Retry-After')) || 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return sendRequest(again);
  }
  return response;
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
  if (!response.ok) throw new ApiFailure(response.status, toRecord(error));
  // Type boundary: answers without a body (204) have no data, and nobody reads it.
  return data as NonNullable<Call['data']>;
}
