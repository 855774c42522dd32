import { Button, Group, type ModalProps, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../base/i18n/index.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { FormError } from './form-error.tsx';
import type { Sending } from './submit.ts';

export interface FormDialogProps extends Pick<ModalProps, 'size'> {
  readonly title: string;
  /** Name of the button that sends the form. */
  readonly submit: string;
  readonly sending: Sending;
  /** The form cannot be sent yet. */
  readonly isIncomplete?: boolean;
  /** The button deletes something. */
  readonly isDangerous?: boolean;
  readonly children: ReactNode;
  onClose(): void;
}

/** A dialog with one form: what is wrong with it above, its buttons below. */
export function FormDialog({
  title,
  size = 'md',
  submit,
  sending,
  isIncomplete = false,
  isDangerous = false,
  children,
  onClose,
}: FormDialogProps) {
  return (
    <Dialog onClose={onClose} title={title} size={size}>
      <form onSubmit={sending.send}>
        <Stack gap={16}>
          <FormError message={sending.message} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" data-autofocus={isDangerous || undefined} onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button
              type="submit"
              loading={sending.isSending}
              disabled={isIncomplete}
              {...(isDangerous ? { color: 'brick' } : {})}
            >
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
