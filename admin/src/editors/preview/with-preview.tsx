import { useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { t } from '../../base/i18n/index.ts';
import { SplitPane } from '../../ui/layout/split-pane.tsx';
import { TabPanes } from '../../ui/layout/tab-panes.tsx';

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
  const single = <div className="fill">{children}</div>;
  if (!isShown) return single;
  const stacked = (
    <div className="fill">
      <Stacked label={label} preview={preview}>
        {children}
      </Stacked>
    </div>
  );
  return (
    <SplitPane
      id="preview"
      label={t('preview.width')}
      widths={[320, 520, 1400]}
      restMin={400}
      first={children}
      narrow={isShownNarrow ? stacked : single}
    >
      {preview}
    </SplitPane>
  );
}

function Stacked({ label, preview, children }: Pick<WithPreviewProps, 'label' | 'preview' | 'children'>) {
  const [shown, setShown] = useStackedTab();
  return (
    <TabPanes
      isGrown
      value={shown}
      paneClassName={'fill'}
      tabs={[
        { name: 'fields', label, content: children },
        { name: 'preview', label: t('preview.title'), content: preview },
      ]}
      onChange={setShown}
    />
  );
}

/** Which of both a narrow screen shows. */
export function useStackedTab() {
  return useLocalStorage<'fields' | 'preview'>({ key: 'ic-stacked', defaultValue: 'fields' });
}
