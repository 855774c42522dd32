import { SegmentedControl } from '@mantine/core';
import { useElementSize, useLocalStorage } from '@mantine/hooks';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { CommandIconButton } from '../../commands/command-button.tsx';
import { useContentVersion } from '../../preview/content-version.ts';
import { PreviewFrame } from '../../preview/preview-frame.tsx';
import { usePreview } from '../../preview/use-preview.ts';
import { Strip } from '../../ui/strip.tsx';
import { viewPage } from '../page-commands.ts';
import type { PageStore } from './page-store.ts';
import classes from './side-pane.module.css';
import { useUnsaved } from './unsaved.ts';

/** Widths in pixels; `fit` is that of the pane. */
const widths = { fit: 0, '390': 390, '768': 768, '1280': 1280 } as const;
type Width = keyof typeof widths;

/** The page with what is not saved yet, in the width of a device. */
export function PreviewPane({ store, choice }: { readonly store: PageStore; readonly choice: ReactNode }) {
  const { t } = useTranslation();
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const unsaved = useUnsaved(store);
  const { html, error } = usePreview(base.id, unsaved, useContentVersion() + base.updated_at);
  const [width, setWidth] = useLocalStorage<Width>({
    key: 'ic-device',
    defaultValue: '1280',
    getInitialValueInEffect: false,
  });
  const stage = useElementSize();
  const device = widths[width] || Math.max(320, stage.width);
  const scale = Math.min(1, stage.width / device || 1);
  return (
    <>
      <div className={classes['bar']}>
        {choice}
        <SegmentedControl
          size="xs"
          aria-label={t('preview.device')}
          value={width}
          onChange={(value) => setWidth(value in widths ? (value as Width) : 'fit')}
          data={Object.keys(widths).map((value) => ({
            value,
            label: value === 'fit' ? t('preview.fit') : value,
          }))}
        />
        <span className="meta tabular">{scale < 1 ? `${Math.round(scale * 100)} %` : ''}</span>
        <span className={classes['rest']} />
        <CommandIconButton command={viewPage(base)} />
      </div>
      {error !== undefined && (
        <Strip tone="brick">
          {error.isTemplate ? t('preview.failed', { error: error.text }) : error.text}
        </Strip>
      )}
      <div ref={stage.ref} className={classes['stage']}>
        <PreviewFrame
          title={t('preview.of', { title: base.title })}
          html={html}
          base={base.path}
          className={classes['frame']}
          style={{
            width: device,
            height: stage.height / scale,
            left: Math.max(0, (stage.width - device * scale) / 2),
            transform: `scale(${scale})`,
          }}
        />
      </div>
    </>
  );
}
