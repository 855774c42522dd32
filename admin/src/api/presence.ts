/** Who else has an object open, as the stream of changes tells it. */
import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from './client.ts';
import type { Presence } from './generated/schema.ts';
import { queryClient } from './query-client.ts';

/** What the stream tells: somebody has come, does something else, or has left. */
export type PresenceEvent = Omit<Presence, 'state'> & { readonly state: Presence['state'] | 'left' };

interface OpenObject {
  readonly kind: string;
  readonly id: number;
}

export function presenceQuery({ kind, id }: OpenObject) {
  return queryOptions({
    queryKey: ['presence', kind, id],
    queryFn: () => requireData(api.GET('/presence', { params: { query: { kind, id } } })),
  });
}

/** Puts an event of the stream into what is known of its object. */
export function notePresence({ state, ...event }: PresenceEvent): void {
  queryClient.setQueryData(presenceQuery(event).queryKey, (known) => {
    const others = known?.filter(({ name }) => name !== event.name);
    if (others === undefined) return undefined;
    return state === 'left' ? others : [...others, { ...event, state }];
  });
}

export async function reportPresence(object: OpenObject, state: Presence['state']): Promise<void> {
  await requireData(api.PUT('/presence', { body: { ...object, state } }));
}

/** Says that this window has closed an object, also while the window closes. */
export async function leave({ kind, id }: OpenObject): Promise<void> {
  const query = { kind, id };
  await requireData(api.DELETE('/presence', { params: { query }, keepalive: true }));
}
