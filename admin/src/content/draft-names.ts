/** Which objects have unsaved changes in this browser, for lists that mark them. */
import { instanceName } from '../api/instance.ts';
import { useSession } from '../api/session/session.ts';
import { SharedValue, useShared } from '../base/shared-value.ts';

/** Of all drafts in this browser, as {@link draftPrefix} and the ID begin them. */
export const draftNames = new SharedValue<ReadonlySet<string>>(new Set());

/** How the names of all drafts of a kind begin, for this instance and a user. */
export function draftPrefix(user: number, kind: string): string {
  return `${instanceName()}${user}/${kind}/`;
}

/** IDs of the objects of a kind with unsaved changes of this user. */
export function useDraftIds(kind: string): ReadonlySet<number> {
  const { data: session } = useSession();
  const all = useShared(draftNames);
  const prefix = draftPrefix(session?.user?.id ?? 0, kind);
  return new Set(
    [...all]
      .filter((name) => name.startsWith(prefix))
      .map((name) => Number.parseInt(name.slice(prefix.length), 10)),
  );
}
