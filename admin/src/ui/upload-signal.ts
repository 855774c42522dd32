import { useSyncExternalStore } from 'react';

/** Tells the frame that there are uploads, so that it loads what shows them only then. */
type Listener = () => void;

let hasUploads = false;
const listeners = new Set<Listener>();

export function signalUploads(): void {
  if (hasUploads) return;
  hasUploads = true;
  for (const listener of listeners) listener();
}

/** Whether anything has been uploaded in this window. */
export function useHasUploads(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hasUploads,
  );
}
