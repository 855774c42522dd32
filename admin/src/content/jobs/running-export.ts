/** The export that is being made in this window. It goes on while other screens are shown. */
import { SharedValue, useShared } from '../../base/shared-value.ts';
import { downloadExport, type ExportOptions, type MadeExport } from './export-requests.ts';
import { jobSignal } from './signal.ts';

export interface RunningExport {
  readonly site: number;
  readonly state: 'running' | 'done' | 'failed';
  /** Bytes so far, and of all; 0 as long as pages are rendered. */
  readonly done: number;
  readonly total: number;
  cancel(): void;
}

const current = new SharedValue<RunningExport | undefined>(undefined);

/** The export that runs or has run last. */
export function useRunningExport(): RunningExport | undefined {
  return useShared(current);
}

/** Makes an export. Undefined if it was cancelled. @throws ApiFailure */
export async function runExport(site: number, options: ExportOptions): Promise<MadeExport | undefined> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  current.set({ site, state: 'running', done: 0, total: 0, cancel });
  jobSignal.raise();
  try {
    const made = await downloadExport(site, options, {
      signal: controller.signal,
      onProgress: (done, total) => current.set({ site, state: 'running', done, total, cancel }),
    });
    current.set({ site, state: 'done', done: made.bytes, total: made.bytes, cancel });
    return made;
  } catch (error) {
    if (controller.signal.aborted) {
      current.set(undefined);
      return undefined;
    }
    current.set({ site, state: 'failed', done: 0, total: 0, cancel });
    throw error;
  }
}
