import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, requireData } from './client.ts';
import { noteInstance } from './instance.ts';
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

export async function logIn(username: string, password: string): Promise<void> {
  await requireData(api.POST('/auth/login', { body: { username, password } }));
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
