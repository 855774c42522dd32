import type { ReactNode } from 'react';
import { SplitPane, type SplitPaneProps } from '../../ui/layout/split-pane.tsx';
import { useIsTight } from '../../ui/layout/use-media.ts';

export interface WithDetailProps extends Pick<SplitPaneProps, 'id' | 'label' | 'widths' | 'restMin'> {
  readonly list: ReactNode;
  /** What is open of the list; nothing if it is false. */
  readonly detail: ReactNode;
}

/** A list, and at its end what is open of it; where there is no room for both, in its place. */
export function WithDetail({ list, detail, ...panes }: WithDetailProps) {
  const isTight = useIsTight();
  if (detail === false) return list;
  if (isTight) return detail;
  return (
    <SplitPane {...panes} first={list}>
      {detail}
    </SplitPane>
  );
}
