import { expect, it } from 'vitest';
import { Jobs } from '../../../server/features/imports/jobs/jobs.ts';
import { recordingLog } from '../../support/quiet-log.ts';

it('a job that meets an unexpected error fails, and the log of the server has the error', async () => {
  const log = recordingLog();
  const jobs = new Jobs({ clock: () => 1_000_000, log });
  const { promise, reject } = Promise.withResolvers<never>();
  const { id } = await jobs.start({ kind: 'scan', url: '', run: () => promise });
  reject(new Error('a bug'));
  await expect.poll(() => jobs.show(id)).toMatchObject({ status: 'failed', error_code: 'import.failed' });
  expect(log.messages).toEqual(['an import job failed']);
  await jobs.close();
});
