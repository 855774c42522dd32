import { useSyncExternalStore } from 'react';
import type { Done } from './command.ts';

/**
 * Deletions of small things: the row goes at once, the request waits as long as it can be taken back. It is
 * sent at once when the window closes.
 */
type Listener = () => void;

/** As long as a message stays, in milliseconds. */
const waitMs = 8000;

const waiting = new Map<string, () => Promise<unknown>>();
let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<Listener>();

/** Hides a thing now and deletes it later. @param key names the thing @param send the request */
export function deleteLater(key: string, message: string, send: () => Promise<unknown>): Done {
  waiting.set(key, send);
  tell();
  const timer = setTimeout(() => void sendNow(key), waitMs);
  const undo = async () => {
    clearTimeout(timer);
    waiting.delete(key);
    tell();
  };
  return { message, undo };
}

/** Keys of what is hidden because it will be deleted. */
export function useDeleted(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hidden,
  );
}

async function sendNow(key: string): Promise<void> {
  const send = waiting.get(key);
  waiting.delete(key);
  await send?.();
  tell();
}

function tell(): void {
  hidden = new Set(waiting.keys());
  for (const listener of listeners) listener();
}

globalThis.window?.addEventListener('pagehide', () => {
  for (const key of [...waiting.keys()]) void sendNow(key);
});
