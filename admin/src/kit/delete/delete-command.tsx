import { type TextKey, t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import type { Command } from '../../commands/command.ts';
import { deleteLater } from '../../commands/delayed.ts';

interface Deletable<Id> {
  readonly name: string;
  remove(id: Id): Promise<unknown>;
}

/** Names an object whose deletion waits, for lists that hide it meanwhile. */
export function deletionKey(resource: { readonly name: string }, id: string | number): string {
  return `${resource.name} ${id}`;
}

/**
 * Deletes an object that is small enough for an undo instead of a question.
 *
 * @param list address of the screen that is shown then, if it is another one
 */
export function deleteCommand<Id extends string | number>(
  resource: Deletable<Id>,
  id: Id,
  { label, name, list }: { readonly label: TextKey; readonly name: string; readonly list?: string },
): Command {
  return {
    id: `${resource.name}.delete`,
    label,
    icon: 'trash',
    tone: 'danger',
    run: () => {
      if (list !== undefined) goTo(list);
      const message = t('code.deleted', { name });
      return deleteLater(deletionKey(resource, id), message, () => resource.remove(id));
    },
  };
}
