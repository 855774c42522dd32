import { createContext, type ReactNode, useContext } from 'react';
import { SplitPane } from '../../ui/layout/split-pane.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import classes from './list-and-detail.module.css';

export interface ListAndDetailProps {
  /** Under which the width of the list is kept in this browser. */
  readonly id: string;
  /** Name of the splitter. */
  readonly label: string;
  readonly list: ReactNode;
  /** Something of the list is open: where there is room for one pane, it is shown in place of the list. */
  readonly isOpen: boolean;
  /** What is open needs the room of the list. */
  readonly isAlone?: boolean;
  readonly children: ReactNode;
}

const ListIsAlone = createContext(false);

/** Whether the list is all that is on the screen, so that its title is that of the screen. */
export function useIsListAlone(): boolean {
  return useContext(ListIsAlone);
}

/** A list with what is open of it beside it. */
export function ListAndDetail({ id, label, list, isOpen, isAlone = false, children }: ListAndDetailProps) {
  const isTight = useMedia('(max-width: 767px)');
  const isSingle = isTight || isAlone;
  return (
    <div className={classes['screen']}>
      {isSingle ? (
        isOpen ? (
          children
        ) : (
          <ListIsAlone value>{list}</ListIsAlone>
        )
      ) : (
        <SplitPane id={id} label={label} widths={[200, 264, 520]} first={list}>
          {children}
        </SplitPane>
      )}
    </div>
  );
}
