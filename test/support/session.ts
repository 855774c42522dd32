import { type ApiAnswer, type ApiCall, call } from './api.ts';
import type { DescribedServer } from './contract.ts';

/** The first administrator of a test. */
export const administrator = { username: 'ada', password: 'analytical engine' } as const;

/** Creates the first administrator and resolves with the value of the session cookie. */
export async function setUp(server: DescribedServer): Promise<string> {
  return sessionIn(await call(server, 'POST', '/auth/setup', { token: null, body: administrator }));
}

/** Logs in and resolves with the value of the session cookie. */
export async function logIn(
  server: DescribedServer,
  credentials: { username: string; password: string } = administrator,
): Promise<string> {
  return sessionIn(await call(server, 'POST', '/auth/login', { token: null, body: credentials }));
}

/** The value of the session cookie that an answer sets. */
export function sessionIn(answer: ApiAnswer): string {
  const value = /^(?:__Host-)?ic_session=([^;]+);/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  if (value === undefined) throw new Error(`no session: ${answer.status} ${JSON.stringify(answer.body)}`);
  return value;
}

/** Options for a call with a session and the CSRF header, like the calls of the admin. */
export function withSession(session: string, body?: unknown): ApiCall {
  return {
    token: null,
    headers: { Cookie: `ic_session=${session}`, 'X-IC-CSRF': '1' },
    ...(body === undefined ? {} : { body }),
  };
}
