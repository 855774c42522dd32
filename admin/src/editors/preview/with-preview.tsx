import { Tabs } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { t } from '../../base/i18n/index.ts';
import { SplitPane } from '../../ui/layout/split-pane.tsx';
import { useIsTight } from '../../ui/layout/use-is-tight.ts';
import classes from './with-preview.module.css';

export interface WithPreviewProps {
  /** Name of what is edited, for the narrow screen. */
  readonly label: string;
  readonly isShown: boolean;
  /** Whether it is shown on a narrow screen too. Default: yes. */
  readonly isShownNarrow?: boolean;
  readonly preview: ReactNode;
  readonly children: ReactNode;
}

/** What is edited and its preview: side by side, on a narrow screen as two tabs. */
export function WithPreview({ label, isShown, isShownNarrow = true, preview, children }: WithPreviewProps) {
  const isNarrow = useIsTight();
  if (!isShown || (isNarrow && !isShownNarrow)) return <div className={classes['single']}>{children}</div>;
  if (isNarrow)
    return (
      <div className={classes['single']}>
        <Stacked label={label} preview={preview}>
          {children}
        </Stacked>
      </div>
    );
  return (
    <SplitPane
      id="preview"
      label={t('preview.width')}
      initial={520}
      min={320}
      max={1400}
      first={children}
      restMin={400}
      isEndSized
    >
      {preview}
    </SplitPane>
  );
}

function Stacked({ label, preview, children }: Pick<WithPreviewProps, 'label' | 'preview' | 'children'>) {
  const [shown, setShown] = useLocalStorage({ key: 'ic-stacked', defaultValue: 'fields' });
  return (
    <Tabs
      value={shown}
      onChange={(value) => setShown(value ?? 'fields')}
      className={classes['stacked'] ?? ''}
      keepMounted={false}
    >
      <Tabs.List grow>
        <Tabs.Tab value="fields">{label}</Tabs.Tab>
        <Tabs.Tab value="preview">{t('preview.title')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="fields" className={classes['panel'] ?? ''}>
        {children}
      </Tabs.Panel>
      <Tabs.Panel value="preview" className={classes['panel'] ?? ''}>
        {preview}
      </Tabs.Panel>
    </Tabs>
  );
}
