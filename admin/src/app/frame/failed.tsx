import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { t } from '../../base/i18n/index.ts';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { showToast } from '../../ui/messages/toasts.ts';

/** In place of a screen that cannot be drawn, mostly because its code could not be read. The frame stays. */
export function ScreenFailed() {
  return (
    <EmptyState action={<Button onClick={loadAgain}>{t('actions.tryAgain')}</Button>}>
      {t('errors.unexpected')}
    </EmptyState>
  );
}

/** Browsers remember that a file could not be read, so the window is loaded again, if there is anything to load. */
async function loadAgain(): Promise<void> {
  const isThere = await fetch(location.href, { method: 'HEAD' }).then(
    () => true,
    () => false,
  );
  if (isThere) location.reload();
  else showToast({ tone: 'failed', message: t('errors.offline') });
}

/** In place of a dialog or another part of the frame that cannot be drawn. */
export function PartFailed() {
  useEffect(() => showToast({ tone: 'failed', message: t('errors.unexpected') }), []);
  return null;
}
