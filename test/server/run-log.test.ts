import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ActivityStore } from '../../server/db/activity.ts';
import { type Databases, openDatabases } from '../../server/db/open.ts';
import { Message } from '../../server/features/workflows/message/message.ts';
import { RunRecord } from '../../server/features/workflows/run/record.ts';
import type { RunOutcome } from '../../server/features/workflows/run/runner.ts';
import { RunLog } from '../../server/features/workflows/runs/log.ts';
import { recordingLog } from '../support/quiet-log.ts';
import { makeTempDir } from '../support/server.ts';

/** When a workflow ran last, while other nodes write too. */

const dataDir = makeTempDir();
let databases: Databases;

beforeAll(() => {
  databases = openDatabases(dataDir, 0);
});
afterAll(() => {
  databases.close();
  rmSync(dataDir, { recursive: true });
});

it('is known while the run is being written, also when it is read again', async () => {
  const { reader, writer } = databases.activity;
  let mayWrite = Promise.withResolvers<void>();
  const activity: ActivityStore = {
    reader,
    async write(work) {
      await mayWrite.promise;
      return work(writer);
    },
  };
  const log = await RunLog.open({ activity, clock: () => 5000, log: recordingLog() });
  const secrets = { value: () => undefined, mask: (text: string) => text };
  const outcome: RunOutcome = {
    status: 'ok',
    error: '',
    payload: 1,
    response: undefined,
    record: new RunRecord(secrets, () => 5000),
    startedAt: 5000,
    durationMs: 1,
  };
  log.add({ workflowId: 7, trigger: 'manual', startNode: 'a', message: Message.parse('{}') }, outcome);
  const last = { last_run_at: 5000, last_status: 'ok' };
  const written = log.flush();
  await log.reload();
  expect(log.lastOf(7)).toEqual(last);
  mayWrite.resolve();
  await written;
  await log.reload();
  expect(log.lastOf(7)).toEqual(last);
  // Another node has deleted the workflow.
  mayWrite = Promise.withResolvers();
  writer.execute('DELETE FROM workflow_last_runs');
  await log.reload();
  expect(log.lastOf(7)).toEqual({ last_run_at: 0, last_status: '' });
});
