import { SegmentedControl } from '@mantine/core';
import { useElementSize, useLocalStorage } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { PagePreview } from '../../api/generated/schema.ts';
import { CommandIconButton } from '../../commands/command-button.tsx';
import { PreviewFrame } from '../../preview/preview-frame.tsx';
import { usePreview } from '../../preview/use-preview.ts';
import { Strip } from '../../ui/strip.tsx';
import { viewPage } from '../page-commands.ts';
import type { PageStore } from './page-store.ts';
import classes from './side-pane.module.css';

/** Widths in pixels; `fit` is that of the pane. */
const widths = { fit: 0, '390': 390, '768': 768, '1280': 1280 } as const;
type Width = keyof typeof widths;

/** Fields that the preview endpoint takes unsaved. */
const previewed = ['html', 'head', 'title', 'description', 'assets'] as const;

/** The page with what is not saved yet, in the width of a device. */
export function PreviewPane({ store, choice }: { readonly store: PageStore; readonly choice: ReactNode }) {
  const { t } = useTranslation();
  const changes = useSyncExternalStore(store.subscribe, () => store.changes);
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const unsaved = useMemo(() => unsavedOf(store, changes), [store, changes]);
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

function unsavedOf(store: PageStore, changes: Partial<PageStore['base']>): PagePreview {
  const names = previewed.filter((name) => name in changes);
  return Object.fromEntries(names.map((name) => [name, store.get(name)]));
}

/** Counts changes of snippets and assets made here, which a page may show. */
function useContentVersion(): number {
  const client = useQueryClient();
  const [version, setVersion] = useState(0);
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ type, query }) => {
        const [kind] = query.queryKey;
        if (type === 'updated' && query.state.isInvalidated && (kind === 'snippets' || kind === 'assets'))
          setVersion((before) => before + 1);
      }),
    [client],
  );
  return version;
}
