import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Presence } from '../api/generated/schema.ts';
import { leave, presenceQuery, reportPresence } from '../api/presence.ts';
import { useSession } from '../api/session/session.ts';
import type { PreparedObject } from '../content/releases/releases.ts';

/** Between two reports; the server forgets one after a minute. In milliseconds. */
const everyMs = 20_000;

/**
 * Tells others that an object is open here, while its editor is on the screen.
 *
 * @returns the others who have it open
 */
export function usePresence({ kind, id }: PreparedObject, isEditing: boolean): readonly Presence[] {
  const { data: session } = useSession();
  const { data: people = [] } = useQuery(presenceQuery({ kind, id }));
  const state = isEditing ? 'editing' : 'viewing';
  useEffect(() => {
    // Nothing depends on it: whoever cannot be told sees nobody.
    const report = () => void reportPresence({ kind, id }, state).catch(() => undefined);
    report();
    const timer = setInterval(report, everyMs);
    return () => clearInterval(timer);
  }, [kind, id, state]);
  useEffect(() => {
    const end = () => void leave({ kind, id }).catch(() => undefined);
    window.addEventListener('pagehide', end);
    return () => {
      window.removeEventListener('pagehide', end);
      end();
    };
  }, [kind, id]);
  return people.filter(({ name }) => name !== session?.user?.username);
}
