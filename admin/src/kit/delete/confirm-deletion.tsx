import { Button } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { confirmFirst } from '../form/confirm-first.tsx';
import type { GroupWith } from '../form/form-texts.ts';

/** What the texts call the object. */
interface Names {
  readonly name: string;
  readonly time?: string;
}

interface Deletion<Group> {
  /** Group of texts with `deleteTitle`, `deleteLoss` and `delete`. */
  readonly texts: Group;
  readonly names: Names;
  run(): Promise<unknown>;
}

type DeletionGroup = Extract<Extract<GroupWith<'deleteTitle'>, GroupWith<'deleteLoss'>>, GroupWith<'delete'>>;

/** Says what is lost with an object before it is deleted without a way back. */
export function confirmDeletion({ texts, names, run }: Deletion<DeletionGroup>): void {
  confirmFirst({
    title: t(`${texts}.deleteTitle`, { time: '', ...names }),
    loss: t(`${texts}.deleteLoss`),
    submit: t(`${texts}.delete`),
    run,
  });
}

interface DeleteButtonProps extends Deletion<Extract<DeletionGroup, GroupWith<'deleteOf'>>> {
  readonly isDisabled?: boolean;
}

/** Deletes the object of a row. Its group of texts has `deleteOf` too. */
export function DeleteButton({ isDisabled = false, ...deletion }: DeleteButtonProps) {
  return (
    <Button
      variant="subtle"
      color="brick"
      size="compact-sm"
      aria-label={t(`${deletion.texts}.deleteOf`, { ...deletion.names })}
      disabled={isDisabled}
      onClick={() => confirmDeletion(deletion)}
    >
      {t('actions.delete')}
    </Button>
  );
}
