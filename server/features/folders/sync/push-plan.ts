/** What a push would do: both sides merged, and what makes the server what the folder is. */
import { isDeepStrictEqual } from 'node:util';
import type { FolderFinding } from '../format/content.ts';
import type { SyncOutcome } from './model.ts';
import { type KnownObjects, toServerUid } from './objects/identity.ts';
import { mergeSides } from './objects/merge.ts';
import { nameObjects } from './objects/naming.ts';
import { type PushOperation, planOperations } from './objects/operations.ts';
import { createFindFile, type FindFile, listChanges, reportConflicts, reportWarnings } from './report.ts';
import type { LiveWarning } from './server/live.ts';
import { type Compared, compareSides, type SyncSession } from './session.ts';

export interface PushPlan {
  readonly compared: Compared;
  readonly wanted: KnownObjects;
  readonly operations: readonly PushOperation[];
  readonly findFile: FindFile;
  readonly outcome: Pick<SyncOutcome, 'findings' | 'conflicts' | 'changes'>;
}

/** Where both sides have changed the same, the plan has what the folder has. @throws CommandEnd, ServerError */
export async function planPush(session: SyncSession): Promise<PushPlan> {
  const compared = await compareSides(session, await createByteCheck(session));
  const { mine, live, read, sides } = compared;
  const merge = mergeSides(sides, 'mine');
  const keys = nameObjects(merge.objects, (uid) => mine.sources.get(uid)?.key);
  const liveKeys = nameObjects(sides.live, (uid) => compared.base?.objects.get(uid)?.key);
  const findFile = createFindFile(mine.sources, new Map([...liveKeys, ...keys]));
  const findings = [
    ...read.findings,
    ...reportWarnings([...live.warnings, ...warnOfAddresses(sides.live, merge.objects)], findFile),
  ];
  return {
    ...{ compared, wanted: merge.objects, findFile },
    operations: planOperations(sides.live, merge.objects),
    outcome: {
      findings,
      conflicts: reportConflicts(merge.conflicts, findFile),
      changes: listChanges(sides.live, merge.objects, findFile),
    },
  };
}

/**
 * Says whether the bytes of a file of the server must be known: it may be the same as one of the folder, or it is one
 * whose bytes the folder has changed or deleted.
 */
async function createByteCheck({ state, hashes }: SyncSession): Promise<Parameters<typeof compareSides>[1]> {
  // The base that git has is read later.
  const hasCommit = (await state.findCommit()) !== undefined;
  let local: { readonly sizes: ReadonlySet<unknown>; readonly bytes: ReadonlySet<unknown> } | undefined;
  return ({ id, size }, { content }, base) => {
    if (base === undefined && hasCommit) return true;
    local ??= {
      sizes: new Set([...hashes.values()].map((one) => one.size)),
      bytes: new Set([...content.objects.values()].map(({ fields }) => fields['sha256'])),
    };
    const before = base?.objects.get(toServerUid('file', id));
    return local.sizes.has(size) || (before !== undefined && !local.bytes.has(before.fields['sha256']));
  };
}

/** The address of a file on a server never changes. */
function warnOfAddresses(live: KnownObjects, wanted: KnownObjects): LiveWarning[] {
  return [...wanted.values()].flatMap(({ uid, kind, fields }) => {
    const address = live.get(uid)?.fields['url'];
    if (kind !== 'file' || address === undefined || address === fields['url']) return [];
    const message = `The address of the file stays ${String(address)}; the next pull notes it in media.json.`;
    return [{ uid, code: 'folder.addressKept', message }];
  });
}

/** Whether files that would be sent have errors. */
export function hasErrors(
  findings: readonly FolderFinding[],
  { mine, sides }: Pick<Compared, 'mine' | 'sides'>,
): boolean {
  const changed = new Set<string>();
  for (const [uid, { files }] of mine.sources) {
    const [before, after] = [sides.base.get(uid) ?? sides.live.get(uid), sides.mine.get(uid)];
    const isEqual =
      before !== undefined && after !== undefined && isDeepStrictEqual(before.fields, after.fields);
    if (!isEqual) for (const file of files) changed.add(file);
  }
  const known = new Set([...mine.sources.values()].flatMap(({ files }) => files));
  return findings.some(({ level, file }) => level === 'error' && (changed.has(file) || !known.has(file)));
}
