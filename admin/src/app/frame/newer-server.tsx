import { Button } from '@mantine/core';
import { isServerNewer } from '../../api/server-build.ts';
import { t } from '../../base/i18n/index.ts';
import { useShared } from '../../base/shared-value.ts';
import { Strip } from '../../ui/messages/strip.tsx';

/** Tells that the server was updated. Input is kept in the browser, so loading again is safe. */
export function NewerServer() {
  const isNewer = useShared(isServerNewer);
  if (!isNewer) return null;
  return (
    <Strip
      actions={
        <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
          {t('frame.reload')}
        </Button>
      }
    >
      {t('frame.newerServer')}
    </Strip>
  );
}
