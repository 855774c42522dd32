import { type TextKey, t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { type Command, createDeletion } from '../../commands/command.ts';
import { deleteLater } from '../../commands/delayed.ts';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { DeleteDialog, type DeleteDialogProps } from './delete-dialog.tsx';

interface Deletable<Id> {
  readonly name: string;
  remove(id: Id, isOnlyUnused?: boolean): Promise<unknown>;
}

/** Names an object whose deletion waits, for lists that hide it meanwhile. */
export function deletionKey(resource: { readonly name: string }, id: string | number): string {
  return `${resource.name} ${id}`;
}

interface SmallObject {
  readonly label: TextKey;
  readonly name: string;
  /** Said when it is deleted. */
  readonly message?: string;
  readonly list?: string | undefined;
}

/**
 * Deletes an object that is small enough for an undo instead of a question.
 *
 * @param list address of the screen that is shown then, if it is another one
 */
export function deleteCommand<Id extends string | number>(
  resource: Deletable<Id>,
  id: Id,
  { label, name, message = t('code.deleted', { name }), list }: SmallObject,
): Command {
  return createDeletion(`${resource.name}.delete`, label, () => {
    if (list !== undefined) goTo(list);
    return deleteLater(deletionKey(resource, id), message, () => resource.remove(id));
  });
}

interface UsedObject extends Pick<DeleteDialogProps, 'kind' | 'name' | 'loss' | 'isNameTyped' | 'isForced'> {
  readonly label: TextKey;
  /** Name of the button that deletes. Default: that of the command. */
  readonly submit?: TextKey;
  readonly list: string;
}

/** Deletes an object after a dialog that names what uses it. */
export function deleteUsedCommand<Id extends string | number>(
  resource: Deletable<Id>,
  id: Id,
  { label, submit = label, list, isForced = true, ...object }: UsedObject,
): Command {
  const remove = async (isOnlyUnused: boolean) => {
    await (isForced ? resource.remove(id, isOnlyUnused) : resource.remove(id));
    goTo(list);
  };
  return createDeletion(`${resource.name}.delete`, label, () =>
    openDialog((onClose) => (
      <DeleteDialog
        {...object}
        id={Number(id)}
        submit={t(submit)}
        isForced={isForced}
        remove={remove}
        onClose={onClose}
      />
    )),
  );
}
