import { memo, type ReactNode } from 'react';
import { Icon } from '../../ui/icons/icon.tsx';
import type { TreeRow } from './rows.ts';
import classes from './tree.module.css';

export interface TreeRowViewProps {
  readonly id: string;
  readonly row: TreeRow;
  readonly index: number;
  readonly top: number;
  readonly levelWidth: number;
  readonly isFocused: boolean;
  readonly isChosen: boolean;
  readonly isCurrent: boolean;
  readonly isTarget: boolean;
  drawAt(index: number): ReactNode;
}

/** Plain elements without handlers: the surface below takes clicks and drags for all rows. */
export const TreeRowView = memo(function TreeRowView(props: TreeRowViewProps) {
  const { id, row, index, top, levelWidth, isFocused, isChosen, isCurrent, isTarget, drawAt } = props;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the row (aria-activedescendant)
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-selected={isChosen}
      aria-current={isCurrent ? 'page' : undefined}
      aria-expanded={row.hasChildren ? row.isOpen : undefined}
      className={classes['row']}
      data-index={index}
      data-focused={isFocused || undefined}
      data-target={isTarget || undefined}
      style={{ top, paddingInlineStart: 4 + (row.level - 1) * levelWidth }}
    >
      <button
        type="button"
        tabIndex={-1}
        className={classes['caret']}
        data-caret
        data-none={!row.hasChildren || undefined}
        aria-hidden="true"
      >
        {row.hasChildren && <Icon name={row.isOpen ? 'caret-down' : 'caret-right'} />}
      </button>
      {drawAt(index)}
    </div>
  );
});

/** Opens the menu of its row. */
export function MenuButton({ label }: { readonly label: string }) {
  return (
    <button type="button" tabIndex={-1} className={classes['more']} data-menu aria-label={label}>
      <Icon name="dots-three" />
    </button>
  );
}
