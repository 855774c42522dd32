/** What the person who is signed in may do. The server decides; the admin only hides what it would refuse. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, requireData } from '../client.ts';
import type { Grant } from '../generated/schema.ts';

export type Action = Grant['actions'][number];

/** A right that something needs: on any object, or on some of a kind. */
export interface Need {
  readonly action: Action;
  readonly kind?: string;
}

/** Rights and settings of the server change rarely. */
const staleMs = 60_000;

export const meQuery = queryOptions({
  // With the session: another login makes it old.
  queryKey: ['session', 'me'],
  queryFn: () => requireData(api.GET('/auth/me')),
  staleTime: staleMs,
});

export function useMe() {
  return useQuery(meQuery);
}

/** Whether grants allow one of some things on any object at all; no needs are always met. */
function allowsOne(grants: readonly Grant[], needs: readonly Need[] = []): boolean {
  return (
    needs.length === 0 ||
    needs.some(({ action, kind }) =>
      grants.some(
        ({ actions, on }) =>
          actions.includes(action) && (kind === undefined || (on?.kinds?.includes(kind) ?? true)),
      ),
    )
  );
}

/** Asks whether the person may do one of some things. Until the rights are known the answer is no. */
export function useRights(): (needs?: readonly Need[]) => boolean {
  const { data } = useMe();
  return (needs) => allowsOne(data?.grants ?? [], needs);
}

/** Whether the person may publish changes of an object. */
export function mayPublishQuery(kind: string, id: number) {
  return queryOptions({
    queryKey: ['session', 'publish', kind, id],
    queryFn: async () => {
      const checks = [{ action: 'publish' as const, kind, id }];
      const [mayPublish = false] = await requireData(api.POST('/auth/can', { body: { checks } }));
      return mayPublish;
    },
    staleTime: staleMs,
  });
}
