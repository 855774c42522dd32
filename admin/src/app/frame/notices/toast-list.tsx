import { ActionIcon, Button, Portal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { failureText } from '../../../api/failure-text.ts';
import { t } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { useShared } from '../../../base/shared-value.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { removeToast, showToast, type Toast, toasts } from '../../../ui/messages/toasts.ts';
import classes from './toast-list.module.css';

/** How long a message stays, in milliseconds. */
const shownMs = 8000;

export function ToastList() {
  const shown = useShared(toasts);
  return (
    // They stay when one shell of screens gives way to another.
    <Portal target={document.body}>
      <div className={classes['list']} role="status" aria-live="polite">
        {shown.map((toast) => (
          <ToastItem key={toast.id} toast={toast} />
        ))}
      </div>
    </Portal>
  );
}

function ToastItem({ toast }: { readonly toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  const leftMs = useRef(shownMs);
  useEffect(() => {
    if (isHeld) return;
    const start = Date.now();
    const timer = setTimeout(() => removeToast(toast.id), leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current = Math.max(1000, leftMs.current - (Date.now() - start));
    };
  }, [isHeld, toast.id]);
  const undo = async () => {
    removeToast(toast.id);
    try {
      await toast.undo?.();
    } catch (error) {
      showToast({ tone: 'failed', message: failureText(error) });
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing happens here but a longer stay
    <div
      className={classes['toast']}
      data-tone={toast.tone}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={toast.tone === 'done' ? 'check-circle' : 'warning-circle'} size={20} />
      <span className={classes['text']}>{toast.message}</span>
      {toast.show !== undefined && (
        <Button
          component={Link}
          href={toast.show}
          variant="subtle"
          size="compact-sm"
          className={classes['undo']}
          onClick={() => removeToast(toast.id)}
        >
          {t('actions.show')}
        </Button>
      )}
      {toast.undo !== undefined && (
        <Button variant="subtle" size="compact-sm" className={classes['undo']} onClick={undo}>
          {t('actions.undo')}
        </Button>
      )}
      <ActionIcon
        className={classes['close']}
        size={24}
        aria-label={t('actions.close')}
        onClick={() => removeToast(toast.id)}
      >
        <Icon name="x" />
      </ActionIcon>
    </div>
  );
}
