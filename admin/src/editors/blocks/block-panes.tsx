import { useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { t } from '../../base/i18n/index.ts';
import { SplitPane } from '../../ui/layout/split-pane.tsx';
import { TabPanes } from '../../ui/layout/tab-panes.tsx';
import { useIsTight } from '../../ui/layout/use-media.ts';

type Parts = Readonly<Record<'outline' | 'canvas' | 'panel', ReactNode>>;

/** Beside each other, or one at a time where there is no room. */
export function BlockPanes({ outline, canvas, panel }: Parts) {
  const isTight = useIsTight();
  const [shown, setShown] = useLocalStorage<keyof Parts>({ key: 'ic-block-pane', defaultValue: 'canvas' });
  if (isTight)
    return (
      <TabPanes
        isGrown
        value={shown}
        tabs={[
          { name: 'outline', label: t('blocks.outline'), content: outline },
          { name: 'canvas', label: t('blocks.canvas'), content: canvas },
          { name: 'panel', label: t('blocks.panel'), content: panel },
        ]}
        onChange={setShown}
      />
    );
  return (
    <SplitPane
      id="block-outline"
      label={t('blocks.outlineWidth')}
      widths={[160, 240, 480]}
      first={<div className="fill surface">{outline}</div>}
    >
      <SplitPane
        id="block-panel"
        label={t('blocks.panelWidth')}
        widths={[240, 300, 640]}
        first={canvas}
        restMin={240}
      >
        {panel}
      </SplitPane>
    </SplitPane>
  );
}
