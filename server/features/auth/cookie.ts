import type { Scheme } from '../../http/origin.ts';

/** A browser accepts a name with this prefix only over TLS, for this host alone and from the host itself. */
const secureName = '__Host-ic_session';
const plainName = 'ic_session';

/** How long a session is valid, in seconds (Core, "Limits"). */
export const sessionSeconds = 14 * 24 * 3600;

/**
 * The session in a Cookie header. If the header has several session cookies with different values, none of
 * them counts: another host of the same domain may have set one, and the server cannot tell which one.
 *
 * @param isSecure whether the connection is; cookies of the other name are then ignored. Undefined: not known
 */
export function readSessionCookie(header: string, isSecure: boolean | undefined): string | undefined {
  if (isSecure === undefined) return readSessionCookie(header, true) ?? readSessionCookie(header, false);
  const wanted = isSecure ? secureName : plainName;
  const values = new Set<string>();
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === wanted) values.add(pair.slice(equals + 1).trim());
  }
  const [value] = values;
  return values.size === 1 && value !== '' ? value : undefined;
}

/** Whether a Cookie header may have a session. */
export function hasSessionCookie(header: string): boolean {
  return header.includes(plainName);
}

/** `Set-Cookie` of a new session (Core, "Authentication", rule 4). */
export function sessionCookie(value: string, isSecure: boolean): readonly [string, string] {
  return setCookie(value, sessionSeconds, isSecure);
}

/** `Set-Cookie` that removes the session from the browser. */
export function endedCookie(isSecure: boolean): readonly [string, string] {
  return setCookie('', 0, isSecure);
}

/** Whether the cookies of a request are sent over TLS only, because the server or a proxy speaks it. */
export type IsSecure = (scheme: Scheme) => boolean;

/** The connection that a Cookie header selects (remote mode); undefined if it selects none. */
export function readRemoteCookie(header: string): number | undefined {
  const [, id] = /(?:^|;)\s*ic_remote=([1-9]\d{0,14})\s*(?:;|$)/.exec(header) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** `Set-Cookie` that selects a connection. @param id 0 ends remote mode */
export function remoteCookie(id: number, secure: boolean): readonly [string, string] {
  return setCookie(id === 0 ? '' : String(id), id === 0 ? 0 : sessionSeconds, secure, 'ic_remote');
}

function setCookie(
  value: string,
  maxAge: number,
  secure: boolean,
  name = secure ? secureName : plainName,
): readonly [string, string] {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
  return ['Set-Cookie', `${name}=${value}; ${attributes}`];
}
