import type { LoggedKind } from '../../runtime/content/change-log.ts';
import type { Follower } from './followers.ts';
import type { ChangeRecord } from './record.ts';

/** A follower that reacts to each deleted object of some kinds. */
export function reactToDeleted(
  kinds: readonly LoggedKind[],
  react: (deleted: ChangeRecord) => void,
): Follower {
  const names: ReadonlySet<string> = new Set(kinds);
  return {
    of: kinds,
    react(commits) {
      for (const { records } of commits)
        for (const record of records)
          if (record.action === 'deleted' && names.has(record.kind)) react(record);
    },
  };
}
