import { type ReactNode, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { CommandIconButton } from '../../commands/command-button.tsx';
import { useContentVersion } from '../../preview/content-version.ts';
import classes from '../../preview/device.module.css';
import { DeviceChoice, useDevice } from '../../preview/device.tsx';
import { PreviewFrame } from '../../preview/preview-frame.tsx';
import { usePreview } from '../../preview/use-preview.ts';
import { Strip } from '../../ui/strip.tsx';
import { viewPage } from '../page-commands.ts';
import type { PageStore } from './page-store.ts';
import { useUnsaved } from './unsaved.ts';

/** The page with what is not saved yet, in the width of a device. */
export function PreviewPane({ store, choice }: { readonly store: PageStore; readonly choice: ReactNode }) {
  const { t } = useTranslation();
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const unsaved = useUnsaved(store);
  const { html, error } = usePreview(base.id, unsaved, useContentVersion() + base.updated_at);
  const device = useDevice('ic-device');
  return (
    <>
      <div className={classes['bar']}>
        {choice}
        <DeviceChoice device={device} />
        <span className={classes['rest']} />
        <CommandIconButton command={viewPage(base)} />
      </div>
      {error !== undefined && (
        <Strip tone="brick">
          {error.isTemplate ? t('preview.failed', { error: error.text }) : error.text}
        </Strip>
      )}
      <div ref={device.stage} className={classes['stage']}>
        <PreviewFrame
          title={t('preview.of', { title: base.title })}
          html={html}
          base={base.path}
          className={classes['frame']}
          style={device.frameStyle}
        />
      </div>
    </>
  );
}
