import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, requireData } from '../client.ts';
import { ApiFailure } from '../failure.ts';
import { noteInstance } from '../instance.ts';
import { queryClient } from '../query-client.ts';
import { signWithPasskey } from './passkeys.ts';

const status = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const session = await requireData(api.GET('/auth/status'));
    noteInstance(session.remote?.id ?? 0);
    return session;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Who is signed in, and whether the first administrator is still to be created. */
export function useSession() {
  return useQuery(status);
}

/** Starts the request before anything is drawn. */
export function prefetchSession(): void {
  void queryClient.prefetchQuery(status);
}

/** One's own second factors. */
export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: () => requireData(api.GET('/auth/factors')),
});

/** What stands for a second factor. */
export interface FactorCodes {
  readonly code?: string;
  readonly recovery_code?: string;
}

/**
 * Sends a login of any kind.
 *
 * @returns the kinds of factors that are asked for; undefined after the login
 */
async function withFactors(login: Promise<unknown>): Promise<readonly unknown[] | undefined> {
  try {
    await login;
    return undefined;
  } catch (error) {
    const factors = error instanceof ApiFailure ? error.params['factors'] : undefined;
    if (Array.isArray(factors)) return factors;
    throw error;
  }
}

/** Signs in. @returns as {@link withFactors} */
export async function logIn(
  username: string,
  password: string,
  codes: FactorCodes = {},
): Promise<readonly unknown[] | undefined> {
  const body = { username, password, ...codes };
  const factors = await withFactors(requireData(api.POST('/auth/login', { body })));
  if (factors === undefined) await queryClient.invalidateQueries({ queryKey: ['session'] });
  return factors;
}

/** Sets the password of somebody who is invited, and signs in. @returns as {@link withFactors} */
export function acceptInvitation(
  token: string,
  password: string,
  codes: FactorCodes = {},
): Promise<readonly unknown[] | undefined> {
  return withFactors(requireData(api.POST('/auth/invitation', { body: { token, password, ...codes } })));
}

/** Signs in with a passkey alone. */
export async function logInWithPasskey(): Promise<void> {
  await requireData(api.POST('/auth/passkeys', { body: await signWithPasskey() }));
  await queryClient.invalidateQueries({ queryKey: ['session'] });
}

export async function setUp(body: {
  username: string;
  password: string;
  setup_token?: string;
}): Promise<void> {
  await requireData(api.POST('/auth/setup', { body }));
}

/** Ends the session and forgets everything that this window knows. */
export async function logOut(): Promise<void> {
  await requireData(api.POST('/auth/logout'));
  startAgain();
}

/** Loads the admin as whoever is signed in now, and forgets everything that this window knows. */
export function startAgain(): void {
  location.assign('/cms-admin/');
}
