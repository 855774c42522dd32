import { useDraggable } from '@dnd-kit/core';
import { type MouseEvent, memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../ui/icons/icon.tsx';
import { labelOf } from '../model/labels.ts';
import type { OutlineRow } from '../model/outline.ts';
import type { BlockFacts } from '../model/rules.ts';
import { isReference } from '../model/tree.ts';
import classes from './outline.module.css';

export interface OutlineRowProps {
  readonly id: string;
  readonly row: OutlineRow;
  readonly facts: BlockFacts;
  readonly top: number;
  readonly index: number;
  readonly isFocused: boolean;
  readonly isChosen: boolean;
  readonly isFaulty: boolean;
  onToggle(row: OutlineRow): void;
  onChoose(row: OutlineRow, index: number, event: MouseEvent): void;
  onMenu(row: OutlineRow, at: { readonly x: number; readonly y: number }): void;
}

/** Width of a level in pixels. */
export const levelWidth = 14;

export const OutlineRowView = memo(function OutlineRowView(props: OutlineRowProps) {
  const { id, row, facts, top, index, isFocused, isChosen, isFaulty, onToggle, onChoose, onMenu } = props;
  const { t } = useTranslation();
  const isMovable = row.kind === 'block' && row.reference === undefined;
  const { setNodeRef, listeners } = useDraggable({
    id: isMovable ? row.block.id : row.key,
    disabled: !isMovable,
  });
  const isGlobal = row.kind === 'block' && (row.reference !== undefined || isReference(row.block));
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the row (aria-activedescendant)
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    <div
      id={id}
      ref={setNodeRef}
      {...listeners}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-selected={isChosen}
      aria-expanded={row.hasChildren ? row.isOpen : undefined}
      className={classes['row']}
      data-focused={isFocused || undefined}
      data-global={isGlobal || undefined}
      data-slot={row.kind === 'slot' || undefined}
      style={{ top, paddingInlineStart: 4 + (row.level - 1) * levelWidth }}
      onClick={(event) => onChoose(row, index, event)}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(row, { x: event.clientX, y: event.clientY });
      }}
    >
      <button
        type="button"
        tabIndex={-1}
        className={classes['caret']}
        data-none={!row.hasChildren || undefined}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onToggle(row);
        }}
      >
        <Icon name={row.isOpen ? 'caret-down' : 'caret-right'} />
      </button>
      {row.kind === 'slot' ? (
        <SlotName row={row} />
      ) : (
        <BlockName facts={facts} row={row} isGlobal={isGlobal} />
      )}
      {isFaulty && (
        <span className={classes['fault']}>
          <Icon name="warning-circle" />
          <span className="visually-hidden">{t('blocks.faulty')}</span>
        </span>
      )}
      {isMovable && (
        <button
          type="button"
          tabIndex={-1}
          className={classes['more']}
          aria-label={t('blocks.more')}
          onClick={(event) => {
            event.stopPropagation();
            const box = event.currentTarget.getBoundingClientRect();
            onMenu(row, { x: box.left, y: box.bottom });
          }}
        >
          <Icon name="dots-three" />
        </button>
      )}
    </div>
  );
});

function SlotName({ row }: { readonly row: Extract<OutlineRow, { kind: 'slot' }> }) {
  const { t } = useTranslation();
  const name = row.slot.label || row.slot.name;
  if (row.count > 0) return <span className={classes['slot']}>{name}</span>;
  return (
    <span className={classes['add']}>
      <Icon name="plus" /> {t('blocks.addTo', { name })}
    </span>
  );
}

interface BlockNameProps {
  readonly facts: BlockFacts;
  readonly row: Extract<OutlineRow, { kind: 'block' }>;
  readonly isGlobal: boolean;
}

function BlockName({ facts, row, isGlobal }: BlockNameProps) {
  const { type, content } = labelOf(facts, row.block);
  return (
    <span className={classes['name']}>
      {isGlobal && <Icon name="globe-simple" />}
      {content === '' ? (
        <span className={classes['content']}>{type}</span>
      ) : (
        <>
          <span className={classes['content']}>{content}</span>
          <span className={classes['type']}>{type}</span>
        </>
      )}
    </span>
  );
}
