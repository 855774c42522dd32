/** `push`: sends what has changed in a folder to a server, as one change set. */
import type { PushOptions, SyncOutcome } from './model.ts';
import { hasErrors, planPush } from './push-plan.ts';
import { finishEqual, sendPush } from './push-sending.ts';
import { retryWhenChanged } from './retry.ts';
import { openSession, runCommand, type SyncSession } from './session.ts';

export function push(options: PushOptions): Promise<SyncOutcome> {
  return runCommand(async () => {
    const session = await openSession(options);
    return retryWhenChanged(() => pushOnce(session, options));
  });
}

async function pushOnce(session: SyncSession, options: PushOptions): Promise<SyncOutcome> {
  const plan = await planPush(session);
  const { outcome, compared, operations } = plan;
  const end = (exitCode: SyncOutcome['exitCode'], message?: string): SyncOutcome => ({
    ...{ ...outcome, changeSet: null, exitCode },
    message,
  });
  if (outcome.conflicts.length > 0) return end(1, 'Both sides have changed the same. Nothing was sent.');
  if (options.force !== true && hasErrors(outcome.findings, compared))
    return end(1, 'Files with errors have changed. Nothing was sent; --force sends them.');
  const deletions = outcome.changes.filter(({ op }) => op === 'delete');
  if (deletions.length > 0 && options.yes !== true) {
    if (options.confirm === undefined) return end(3, 'Something would be deleted. Add --yes to do it.');
    if (!(await options.confirm(deletions))) return end(3, 'Nothing was sent.');
  }
  const isEqual = outcome.changes.length === 0 && operations.length === 0;
  return isEqual ? finishEqual(session, plan) : sendPush(session, plan, options);
}
