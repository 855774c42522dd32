import type { Action } from '../rights.ts';
import type { ErrorTable } from './entry.ts';

/** Who asks: sign-in, users, tokens, the state of the instance. */
export const accessErrors = {
  'auth.required': {
    status: 401,
    text: (p: { reason: RefusalReason }) => `authentication required: ${refusalTexts[p.reason]}`,
  },
  'auth.readOnly': { status: 403, text: () => 'token is read-only' },
  'auth.sessionRequired': { status: 403, text: () => 'this endpoint needs an admin session' },
  'auth.unsafeHtml': {
    status: 422,
    text: (p: { field: string; found: readonly string[] }) =>
      `"${p.field}" may not hold what runs code on pages without the right to write code: ${p.found.join(', ')}`,
  },
  'auth.csrf': { status: 403, text: () => 'missing X-IC-CSRF header' },
  'auth.invalidCredentials': { status: 401, text: () => 'wrong username or password' },
  'auth.tooManyAttempts': {
    status: 429,
    text: (p: { retry_after: number }) => `too many failed logins, try again in ${p.retry_after} s`,
  },
  'auth.passwordTooShort': {
    status: 400,
    text: (p: { min: number }) => `the password has fewer than ${p.min} characters`,
  },
  'auth.passwordTooLong': {
    status: 400,
    text: (p: { max: number }) => `the password has more than ${p.max} characters`,
  },
  'auth.passwordWeak': {
    status: 400,
    text: (p: { reason: PasswordWeakness }) => `the password is too weak: ${weaknessTexts[p.reason]}`,
  },
  'auth.passwordChange': {
    status: 403,
    text: () => 'choose another password first: POST /auth/password',
  },
  'auth.oidcFailed': {
    status: 502,
    text: (p: { error: string }) => `the provider of OpenID Connect did not sign in anybody: ${p.error}`,
  },
  'auth.oidcState': {
    status: 400,
    text: () => 'this login was not begun here or took too long: begin again with GET /auth/oidc/start',
  },
  'auth.oidcUnknown': { status: 403, text: () => 'no user belongs to this account of the provider' },
  'auth.oidcEmailUnverified': {
    status: 403,
    text: () => 'the provider has not verified the e-mail address of this account',
  },
  'auth.setupDone': { status: 409, text: () => 'the first administrator exists already' },
  'auth.setupToken': {
    status: 403,
    text: () => 'setup from this address needs the setup_token that the server printed at its start',
  },
  'user.nameTaken': { status: 409, text: (p: { username: string }) => `username "${p.username}" is taken` },
  'auth.lastAdministrator': {
    status: 409,
    text: () => 'the last administrator cannot be deleted, locked or lose this role',
  },
  'auth.notAllowed': { status: 403, text: (p: MissingRight) => `not allowed: this needs ${p.needs}` },
  'role.inUse': {
    status: 409,
    text: (p: { users: number; tokens: number }) =>
      `the role is given to ${p.users} users and ${p.tokens} tokens: take it from them first`,
  },
  'role.builtin': { status: 409, text: () => 'roles that come with the program cannot be changed' },
  'system.forced': { status: 409, text: () => 'a start option of the server has switched the admin off' },
  'system.noWriteToken': {
    status: 409,
    text: () => 'without the admin nobody could write: create a token with write permission first',
  },
} satisfies ErrorTable;

/** Why a password is refused, besides its length. */
const weaknessTexts = {
  name: 'it holds a name of the user or of a website',
  common: 'it is among the passwords and words that are tried first',
  repeat: 'it repeats itself',
  sequence: 'it is a sequence such as abcd or 6543',
  keyboard: 'its keys lie side by side on the keyboard',
  date: 'dates and years are easy to guess',
  guessable: 'it is easy to guess, add some words that do not belong together',
  unchanged: 'it is the present one',
} as const;
export type PasswordWeakness = keyof typeof weaknessTexts;

/** Why a request has no caller, and what the caller can do. */
const refusalTexts = {
  missing: 'send the header "Authorization: Bearer <token>"',
  scheme: 'the Authorization header must read "Bearer <token>"',
  unknownToken: 'the token is not known here',
  tokenInAddress: '?token= counts for GET and HEAD only, send the header "Authorization: Bearer <token>"',
  sessionEnded: 'the session is not known here or has ended',
} as const;
export type RefusalReason = keyof typeof refusalTexts;

/** What a caller may not do, and what is missing. */
export interface MissingRight {
  readonly action: Action;
  readonly kind?: string | undefined;
  readonly id?: number | undefined;
  /** The field that needs the right; undefined if the object as a whole does. */
  readonly field?: string | undefined;
  /** What is missing, in words. */
  readonly needs: string;
  /** Path of what the caller may do instead. */
  readonly use?: string | undefined;
}
