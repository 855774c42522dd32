import type { ErrorTable } from './entry.ts';

/** Signing in beyond name and password: factors, confirmation, the own public address. */
export const signInErrors = {
  'auth.publicUrlMissing': {
    status: 400,
    text: () =>
      'the address of this instance is not known: set public_url in /system, or use a domain of a website',
  },
  'auth.confirm': {
    status: 403,
    text: () => 'confirm with POST /auth/confirm that it is you; it opens this for ten minutes',
  },
} satisfies ErrorTable;
