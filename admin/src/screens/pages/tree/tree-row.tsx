import { type MouseEvent, memo } from 'react';
import type { RowText } from '../../../base/i18n/row-text.ts';
import { paths } from '../../../base/router/paths.ts';
import { preload } from '../../../base/router/preload.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { RowStatusMark } from '../../../ui/messages/status-mark.tsx';
import type { TreeRow } from '../model/tree-model.ts';
import classes from './page-tree.module.css';

export interface TreeRowProps {
  readonly id: string;
  readonly text: RowText;
  readonly row: TreeRow<PageTreeEntry>;
  readonly top: number;
  readonly isFocused: boolean;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly isUnsaved: boolean;
  readonly isTarget: boolean;
  onToggle(ids: readonly number[], isOpen: boolean): void;
  /** Place among the rows. */
  readonly index: number;
  onChoose(page: PageTreeEntry, index: number, event: MouseEvent): void;
  onMenu(page: PageTreeEntry, at: { readonly x: number; readonly y: number }): void;
}

export const TreeRowView = memo(function TreeRowView(props: TreeRowProps) {
  const {
    id,
    text,
    row,
    top,
    isFocused,
    isCurrent,
    isSelected,
    isUnsaved,
    isTarget,
    index,
    onToggle,
    onChoose,
    onMenu,
  } = props;
  const { page, level, hasChildren, isOpen } = row;
  const isHome = page.parent_id === null;
  const status = isUnsaved ? 'unsaved' : page.published ? 'live' : 'draft';
  const href = paths.page(page.root_id, page.id);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the row (aria-activedescendant)
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-selected={isSelected}
      aria-current={isCurrent ? 'page' : undefined}
      aria-expanded={hasChildren ? isOpen : undefined}
      className={classes['row']}
      data-focused={isFocused || undefined}
      data-grey={row.isGrey || undefined}
      data-target={isTarget || undefined}
      style={{ top, paddingInlineStart: 4 + (level - 1) * 18 }}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(page, { x: event.clientX, y: event.clientY });
      }}
    >
      <button
        type="button"
        tabIndex={-1}
        className={classes['caret']}
        data-none={!hasChildren || undefined}
        aria-hidden="true"
        onClick={() => onToggle([page.id], !isOpen)}
      >
        {hasChildren && <Icon name={isOpen ? 'caret-down' : 'caret-right'} />}
      </button>
      <a
        href={href}
        tabIndex={-1}
        draggable={false}
        className={classes['title']}
        onMouseEnter={() => preload(href)}
        onClick={(event) => {
          if (event.button !== 0) return;
          event.preventDefault();
          onChoose(page, index, event);
        }}
      >
        {isHome && <Icon name="house" />}
        <span className={classes['name']}>{page.title}</span>
        {page.hide_in_nav && <Icon name="eye-slash" />}
      </a>
      <RowStatusMark status={status} isShort word={text(`status.${status}`)} />
      <button
        type="button"
        tabIndex={-1}
        className={classes['more']}
        aria-label={text('tree.more', { title: page.title })}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          onMenu(page, { x: box.left, y: box.bottom });
        }}
      >
        <Icon name="dots-three" />
      </button>
    </div>
  );
});
