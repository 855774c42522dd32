/** The export that is being made in this window. It goes on while other screens are shown. */
import { useSyncExternalStore } from 'react';
import { jobSignal } from '../ui/signal.ts';
import { downloadExport, type ExportOptions, type MadeExport } from './export-requests.ts';

export interface RunningExport {
  readonly site: number;
  readonly state: 'running' | 'done' | 'failed';
  /** Bytes so far, and of all; 0 as long as pages are rendered. */
  readonly done: number;
  readonly total: number;
  cancel(): void;
}

type Listener = () => void;

let current: RunningExport | undefined;
const listeners = new Set<Listener>();

/** The export that runs or has run last. */
export function useRunningExport(): RunningExport | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** Makes an export. Undefined if it was cancelled. @throws ApiFailure */
export async function runExport(site: number, options: ExportOptions): Promise<MadeExport | undefined> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  set({ site, state: 'running', done: 0, total: 0, cancel });
  jobSignal.raise();
  try {
    const made = await downloadExport(site, options, {
      signal: controller.signal,
      onProgress: (done, total) => set({ site, state: 'running', done, total, cancel }),
    });
    set({ site, state: 'done', done: made.bytes, total: made.bytes, cancel });
    return made;
  } catch (error) {
    if (controller.signal.aborted) {
      set(undefined);
      return undefined;
    }
    set({ site, state: 'failed', done: 0, total: 0, cancel });
    throw error;
  }
}

function set(next: RunningExport | undefined): void {
  current = next;
  for (const listener of listeners) listener();
}
