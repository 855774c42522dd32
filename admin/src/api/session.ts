import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, requireData } from './client.ts';
import { ApiFailure } from './failure.ts';
import { noteInstance } from './instance.ts';
import { signWithPasskey } from './passkeys.ts';
import { queryClient } from './query-client.ts';

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

/**
 * Signs in.
 *
 * @param codes what stands for a second factor
 * @returns the kinds of factors that are asked for; undefined after the login
 */
export async function logIn(
  username: string,
  password: string,
  codes: { readonly code?: string; readonly recovery_code?: string } = {},
): Promise<readonly unknown[] | undefined> {
  try {
    await requireData(api.POST('/auth/login', { body: { username, password, ...codes } }));
  } catch (error) {
    const factors = error instanceof ApiFailure ? error.params['factors'] : undefined;
    if (Array.isArray(factors)) return factors;
    throw error;
  }
  await queryClient.invalidateQueries({ queryKey: ['session'] });
  return undefined;
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
  location.assign('/cms-admin/');
}
