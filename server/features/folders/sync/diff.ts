/** `diff`: how a folder and a server differ. It writes nothing but what it remembers. */

import type { SyncOptions, SyncOutcome } from './model.ts';
import { mergeSides } from './objects/merge.ts';
import { nameObjects } from './objects/naming.ts';
import { createFindFile, listChanges, reportConflicts, reportWarnings } from './report.ts';
import { compareSides, openSession, runCommand } from './session.ts';

/** The changes are those that would make the server what the folder is. */
export function diff(options: SyncOptions): Promise<SyncOutcome> {
  return runCommand(async () => {
    const session = await openSession(options);
    const compared = await compareSides(session, () => true);
    const { live, mine, read, sides, base } = compared;
    const keys = nameObjects(sides.live, (uid) => base?.objects.get(uid)?.key);
    const findFile = createFindFile(mine.sources, keys);
    const conflicts = reportConflicts(mergeSides(sides, 'mine').conflicts, findFile);
    const changes = listChanges(sides.live, sides.mine, findFile);
    const findings = [...read.findings, ...reportWarnings(live.warnings, findFile)];
    const hasErrors = findings.some(({ level }) => level === 'error');
    const isEqual = changes.length === 0 && conflicts.length === 0 && !hasErrors;
    return { findings, conflicts, changes, changeSet: null, exitCode: isEqual ? 0 : 1 };
  });
}
