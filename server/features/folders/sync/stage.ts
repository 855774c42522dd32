/** Shows a folder over the content of a server: its changes in a change set that only its author sees. */
import { CommandEnd } from './command-end.ts';
import type { FolderConflict, SyncOptions, SyncOutcome } from './model.ts';
import { type PushPlan, planPush } from './push-plan.ts';
import { stageChanges, withTraces } from './push-sending.ts';
import { retryWhenChanged } from './retry.ts';
import { openSession, runCommand, type SyncSession } from './session.ts';

export interface StageOptions extends SyncOptions {
  /** Of the change set. */
  readonly name: string;
  /** Called with the ID of each file that was uploaded. */
  onUploaded(id: number): void;
}

export interface StageOutcome extends SyncOutcome {
  /** Address that shows the website with the change set; undefined without one. */
  readonly previewUrl?: string;
}

/** Where both sides have changed the same, the change set has what the folder has. Nothing is published. */
export function stageFolder(options: StageOptions): Promise<StageOutcome> {
  return runCommand<StageOutcome>(async () => {
    const session = await openSession(options);
    return retryWhenChanged(async () => stagePlan(session, await planPush(session), options));
  });
}

async function stagePlan(
  session: SyncSession,
  plan: PushPlan,
  { name, onUploaded }: StageOptions,
): Promise<StageOutcome> {
  const homeId = plan.compared.snapshot.home?.['id'];
  if (typeof homeId !== 'number')
    throw new CommandEnd(1, 'The server does not have the website yet. Push it first.');
  const findings = [...plan.outcome.findings, ...plan.outcome.conflicts.map(describeConflict)];
  const shown = { ...plan, outcome: { ...plan.outcome, findings } };
  return withTraces(session, shown, async (made): Promise<StageOutcome> => {
    const { changeSet } = await stageChanges(session, shown, { homeId, made, name, purpose: 'dev' });
    const outcome = { ...shown.outcome, changeSet, exitCode: 0 as const };
    const link =
      changeSet === null
        ? undefined
        : await session.client.send('POST', `/change-sets/${changeSet}/preview-links`, { site_id: homeId });
    for (const id of made.files) onUploaded(id);
    return link === undefined ? outcome : { ...outcome, previewUrl: String(link['url']) };
  });
}

function describeConflict({ file, field }: FolderConflict) {
  const message = `"${field}" was changed on the server too. The folder is shown; a push lists the conflict.`;
  return { file, line: 1, column: 1, level: 'warning' as const, code: 'folder.conflict', message };
}
