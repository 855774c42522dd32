const name = 'ic_session';

/** How long a session is valid, in seconds (Core, "Limits"). */
export const sessionSeconds = 14 * 24 * 3600;

/**
 * The session in a Cookie header. If the header has several session cookies with different values, none of
 * them counts: another host of the same domain may have set one, and the server cannot tell which one.
 */
export function readSessionCookie(header: string): string | undefined {
  const values = new Set<string>();
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) values.add(pair.slice(equals + 1).trim());
  }
  const [value] = values;
  return values.size === 1 && value !== '' ? value : undefined;
}

/** Whether a Cookie header may have a session. */
export function hasSessionCookie(header: string): boolean {
  return header.includes(name);
}

/** `Set-Cookie` of a new session (Core, "Authentication", rule 4). */
export function sessionCookie(value: string, secure: boolean): readonly [string, string] {
  return setCookie(value, sessionSeconds, secure);
}

/** `Set-Cookie` that removes the session from the browser. */
export function endedCookie(secure: boolean): readonly [string, string] {
  return setCookie('', 0, secure);
}

/** The connection that a Cookie header selects (remote mode); undefined if it selects none. */
export function readRemoteCookie(header: string): number | undefined {
  const [, id] = /(?:^|;)\s*ic_remote=([1-9]\d{0,14})\s*(?:;|$)/.exec(header) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** `Set-Cookie` that selects a connection. @param id 0 ends remote mode */
export function remoteCookie(id: number, secure: boolean): readonly [string, string] {
  return setCookie(id === 0 ? '' : String(id), id === 0 ? 0 : sessionSeconds, secure, 'ic_remote');
}

function setCookie(value: string, maxAge: number, secure: boolean, cookie = name): readonly [string, string] {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
  return ['Set-Cookie', `${cookie}=${value}; ${attributes}`];
}
