import { failureText } from '../api/failure-text.ts';
import { showToast } from '../ui/messages/toasts.ts';
import type { Command } from './command.ts';

/** Runs a command and tells what came of it. A command that cannot be done now does nothing. */
export async function runCommand(command: Command): Promise<void> {
  if (command.can?.() === false) return;
  try {
    const done = await command.run();
    if (done !== undefined)
      showToast({
        tone: 'done',
        message: done.message,
        undo: done.undo === undefined ? undefined : async () => void (await done.undo?.()),
      });
  } catch (error) {
    showToast({ tone: 'failed', message: failureText(error) });
  }
}
