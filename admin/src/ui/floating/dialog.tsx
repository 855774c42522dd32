import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { history } from '../../base/router/history.ts';

/** Ways to close a dialog that would lose what it shows. */
type DialogClosing = 'closeOnEscape' | 'closeOnClickOutside' | 'withCloseButton';

export interface DialogProps extends Pick<ModalProps, 'size' | 'children' | 'returnFocus' | DialogClosing> {
  readonly title: string;
  onClose(): void;
}

/** A dialog: the focus goes in, stays in, and goes back to where it was. */
export function Dialog({ title, onClose, returnFocus = true, ...rest }: DialogProps) {
  useFocusBack(returnFocus);
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
      {...rest}
    />
  );
}

/**
 * Mantine gives the focus back when a dialog is closed; ours are taken off the screen instead.
 *
 * @param from what gets the focus back. Default: what had it before
 */
export function useFocusBack(isOn: boolean, from?: Element | null): void {
  const [before] = useState(() => document.activeElement);
  const opener = from ?? before;
  const [path] = useState(() => history.location.pathname);
  useEffect(() => {
    if (!isOn) return;
    return () => {
      // A dialog that has led to another screen gives the focus to its title.
      if (history.location.pathname !== path) return;
      // What the dialog has led to may have the focus already.
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, [isOn, opener, path]);
}
