/** Work that changes no content yet, such as edits of a change set: the audit has one line for each sitting. */
import { formatAuthor } from '../../base/actor.ts';
import type { Change } from '../../changes/changes.ts';
import { commitsBefore, oldestVersion } from '../../changes/commit-log.ts';
import * as store from './store.ts';

/** A longer break ends a sitting, in seconds. */
const breakSeconds = 30 * 60;
/** The end of a sitting is this exact, in seconds, so that not every save writes it. */
const stepSeconds = 60;

/** Notes that the caller works on an object now. */
export async function noteSitting(
  { tx, actor, now, writeUnversioned }: Change,
  { kind, id, name }: { readonly kind: string; readonly id: number; readonly name: string },
): Promise<void> {
  const by = formatAuthor(actor);
  const [last] = await store.listSittingsOf(tx, kind, id, by);
  await writeUnversioned(async () => {
    if (last !== undefined && Math.abs(now - last.ended_at) <= breakSeconds) {
      const isExact = now < last.ended_at + stepSeconds && name === last.name;
      if (!isExact) await store.updateSitting(tx, last.id, name, Math.max(now, last.ended_at));
      return;
    }
    const [commit] = await commitsBefore(tx, Number.MAX_SAFE_INTEGER, 1);
    await store.removeSittingsBefore(tx, await oldestVersion(tx));
    const version = commit?.version ?? 0;
    await store.insertSitting(tx, {
      ...{ kind, object_id: id, name, actor: by, version },
      ...{ begun_at: now, ended_at: now },
    });
  });
}
