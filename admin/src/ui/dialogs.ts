import { useSyncExternalStore } from 'react';

/** Dialogs that commands open from anywhere. Only one is open at a time: there is no dialog on a dialog. */
export type DialogName = 'palette' | 'shortcuts' | 'newSite' | 'apiCalls';

type Listener = () => void;

let open: DialogName | undefined;
const listeners = new Set<Listener>();

export function openDialog(name: DialogName | undefined): void {
  open = name;
  for (const listener of listeners) listener();
}

export function useOpenDialog(): DialogName | undefined {
  return useSyncExternalStore(subscribe, () => open);
}

function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
