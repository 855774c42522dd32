import { maxOperations } from '../../api/client.ts';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import type { Command, CommandResult } from '../../commands/command.ts';
import { TooManyCopies } from '../../content/duplicate/too-many-copies.ts';
import { showToast } from '../../ui/messages/toasts.ts';

export interface Duplication {
  /** Default: the object alone. */
  readonly isDeep?: boolean;
  /** Saves what was just typed, so that the copy has it. */
  readonly keep?: Command | undefined;
  /** @returns IDs of the copies @throws TooManyCopies */
  copy(): Promise<readonly number[]>;
  /** Address of a copy. */
  path(id: number): string;
}

/** A command that copies objects. It shows the copy if there is only one. */
export function duplicateCommand({ isDeep = false, keep, copy, path }: Duplication): Command {
  return {
    id: isDeep ? 'object.duplicateDeep' : 'object.duplicate',
    label: isDeep ? 'duplicate.deep' : 'duplicate.one',
    icon: 'copy',
    run: async () => {
      if (keep?.can?.() === true) await keep.run();
      return tellCopies(copy, path);
    },
  };
}

async function tellCopies(
  copy: Duplication['copy'],
  path: Duplication['path'],
): Promise<CommandResult | undefined> {
  try {
    const ids = await copy();
    const [first] = ids;
    if (first === undefined) return undefined;
    if (ids.length === 1) goTo(path(first));
    return { message: t('duplicate.done', { count: ids.length }) };
  } catch (error) {
    if (!(error instanceof TooManyCopies)) throw error;
    const message = t('duplicate.tooMany', { count: error.count, max: maxOperations });
    showToast({ tone: 'failed', message });
    return undefined;
  }
}
