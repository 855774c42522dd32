import Type from 'typebox';
import { Compile } from 'typebox/schema';
import type { Secrets } from '../../../base/secrets.ts';
import type { LoginChecks } from './oidc-provider.ts';

const name = 'ic_oidc';
const purpose = 'oidc-login';
/** How long a login at the provider may take, in seconds. */
const maxSeconds = 600;

export interface PendingLogin extends LoginChecks {
  readonly issuer: string;
  readonly redirectUri: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

const checkPending = Compile(
  Type.Object({
    state: Type.String(),
    nonce: Type.String(),
    verifier: Type.String(),
    issuer: Type.String(),
    redirectUri: Type.String(),
    expiresAt: Type.Integer(),
  }),
);

/** `Set-Cookie` with an encrypted login, which only the browser that has begun it can end, on any node. */
export function pendingCookie(
  login: Omit<PendingLogin, 'expiresAt'>,
  {
    now,
    secrets,
    isSecure,
  }: { readonly now: number; readonly secrets: Pick<Secrets, 'seal'>; readonly isSecure: boolean },
): readonly [string, string] {
  const sealed = secrets.seal(JSON.stringify({ ...login, expiresAt: now + maxSeconds }), purpose);
  return toCookie(sealed, maxSeconds, isSecure);
}

/** `Set-Cookie` that removes it. */
export function endedPendingCookie(isSecure: boolean): readonly [string, string] {
  return toCookie('', 0, isSecure);
}

/** The login of a Cookie header; undefined if there is none or it took too long. */
export function readPendingLogin(
  header: string,
  { now, secrets }: { readonly now: number; readonly secrets: Pick<Secrets, 'open'> },
): PendingLogin | undefined {
  const sealed = new RegExp(`(?:^|;)\\s*${name}=([^;\\s]+)`).exec(header)?.[1];
  if (sealed === undefined) return undefined;
  try {
    const login: unknown = JSON.parse(secrets.open(sealed, purpose));
    return checkPending.Check(login) && login.expiresAt > now ? login : undefined;
  } catch {
    return undefined;
  }
}

function toCookie(value: string, maxAge: number, isSecure: boolean): readonly [string, string] {
  const attributes = `Path=/api/v1/auth/oidc; HttpOnly; SameSite=Lax; Max-Age=${maxAge}`;
  return ['Set-Cookie', `${name}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`];
}
