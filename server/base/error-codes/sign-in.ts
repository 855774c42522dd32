import type { ErrorTable } from './entry.ts';

/** Signing in beyond name and password: factors, confirmation, the own public address. */
export const signInErrors = {
  'auth.publicUrlMissing': {
    status: 400,
    text: () =>
      'the address of this instance is not known: set public_url in /system, or use a domain of a website',
  },
  'auth.factorRequired': {
    status: 401,
    text: (p: { factors: readonly string[] }) => `a second factor is needed: ${p.factors.join(' or ')}`,
  },
  'auth.factorMissing': {
    status: 409,
    text: () => 'no factor is set up: begin with POST /auth/factors/totp or /auth/factors/passkeys/options',
  },
  'auth.tooManyFactors': {
    status: 409,
    text: (p: { max: number }) => `a user can have at most ${p.max} factors: remove one first`,
  },
  'auth.passkeyInvalid': {
    status: 400,
    text: () => 'the passkey could not be checked: ask for new options, and send its answer once and in time',
  },
  'auth.confirm': {
    status: 403,
    text: () => 'confirm with POST /auth/confirm that it is you; it opens this for ten minutes',
  },
} satisfies ErrorTable;
