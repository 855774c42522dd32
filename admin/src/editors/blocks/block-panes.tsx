import { Tabs } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { t } from '../../base/i18n/index.ts';
import { SplitPane } from '../../ui/layout/split-pane.tsx';
import { useIsTight } from '../../ui/layout/use-is-tight.ts';
import classes from './block-editor.module.css';

type Parts = Readonly<Record<'outline' | 'canvas' | 'panel', ReactNode>>;

/** Beside each other, or one at a time where there is no room. */
export function BlockPanes({ outline, canvas, panel }: Parts) {
  const isTight = useIsTight();
  const [shown, setShown] = useLocalStorage({ key: 'ic-block-pane', defaultValue: 'canvas' });
  if (isTight)
    return (
      <Tabs
        value={shown}
        onChange={(value) => setShown(value ?? 'canvas')}
        className={classes['stacked'] ?? ''}
        keepMounted={false}
      >
        <Tabs.List grow>
          <Tabs.Tab value="outline">{t('blocks.outline')}</Tabs.Tab>
          <Tabs.Tab value="canvas">{t('blocks.canvas')}</Tabs.Tab>
          <Tabs.Tab value="panel">{t('blocks.panel')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="outline" className={classes['pane'] ?? ''}>
          {outline}
        </Tabs.Panel>
        <Tabs.Panel value="canvas" className={classes['pane'] ?? ''}>
          {canvas}
        </Tabs.Panel>
        <Tabs.Panel value="panel" className={classes['pane'] ?? ''}>
          {panel}
        </Tabs.Panel>
      </Tabs>
    );
  return (
    <SplitPane
      id="block-outline"
      label={t('blocks.outlineWidth')}
      initial={240}
      min={160}
      max={480}
      first={<div className={classes['pane']}>{outline}</div>}
    >
      <SplitPane
        id="block-panel"
        label={t('blocks.panelWidth')}
        initial={300}
        min={240}
        max={640}
        first={canvas}
        restMin={240}
        isEndSized
      >
        {panel}
      </SplitPane>
    </SplitPane>
  );
}
