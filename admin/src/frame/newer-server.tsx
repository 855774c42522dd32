import { Button } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { serverBuild } from '../api/server-build.ts';
import { Strip } from '../ui/strip.tsx';

/** Tells that the server was updated. Input is kept in the browser, so loading again is safe. */
export function NewerServer() {
  const { t } = useTranslation();
  const isNewer = useSyncExternalStore(serverBuild.subscribe, serverBuild.isNewer);
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
