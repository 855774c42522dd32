import { Modal, type ModalProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export interface DialogProps extends Pick<ModalProps, 'size' | 'children' | 'returnFocus'> {
  readonly title: string;
  onClose(): void;
}

/** A dialog: the focus goes in, stays in, and goes back to where it was. */
export function Dialog({ title, onClose, ...rest }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
      {...rest}
    />
  );
}
