import type { ReactNode } from 'react';
import { SplitPane, type SplitPaneProps } from '../../ui/layout/split-pane.tsx';

export interface WithDetailProps extends Pick<SplitPaneProps, 'id' | 'label' | 'widths' | 'restMin'> {
  readonly list: ReactNode;
  /** What is open of the list; nothing if it is false. */
  readonly detail: ReactNode;
}

/** A list, and at its end what is open of it; where there is no room for both, in its place. */
export function WithDetail({ list, detail, ...panes }: WithDetailProps) {
  if (detail === false) return list;
  return (
    <SplitPane {...panes} first={list} narrow={detail}>
      {detail}
    </SplitPane>
  );
}
