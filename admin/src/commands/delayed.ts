/**
 * Deletions of small things: the row goes at once, the request waits as long as it can be taken back. It is
 * sent at once when the window closes.
 */
import { SharedValue, useShared } from '../base/shared-value.ts';
import type { CommandResult } from './command.ts';

/** As long as a message stays, in milliseconds. */
const waitMs = 8000;

const waiting = new Map<string, () => Promise<unknown>>();
const hidden = new SharedValue<ReadonlySet<string>>(new Set());

/** Hides a thing now and deletes it later. @param key names the thing @param send the request */
export function deleteLater(key: string, message: string, send: () => Promise<unknown>): CommandResult {
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
  return useShared(hidden);
}

async function sendNow(key: string): Promise<void> {
  const send = waiting.get(key);
  waiting.delete(key);
  await send?.();
  tell();
}

function tell(): void {
  hidden.set(new Set(waiting.keys()));
}

globalThis.window?.addEventListener('pagehide', () => {
  for (const key of [...waiting.keys()]) void sendNow(key);
});
