import type { RowText } from '../../../base/i18n/row-text.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { formatBlockLabel } from '../model/labels.ts';
import type { BlockRow, OutlineRow, SlotRow } from '../model/outline.ts';
import type { BlockFacts } from '../model/rules.ts';
import { isReference } from '../model/tree.ts';
import classes from './outline.module.css';

export interface OutlineRowProps {
  readonly row: OutlineRow;
  readonly facts: BlockFacts;
  readonly isFaulty: boolean;
  readonly text: RowText;
}

/** The name of a block or a slot. */
export function OutlineRowName({ row, facts, isFaulty, text }: OutlineRowProps) {
  return (
    <>
      {row.kind === 'slot' ? <SlotName row={row} text={text} /> : <BlockName row={row} facts={facts} />}
      {isFaulty && (
        <span className={classes['fault']}>
          <Icon name="warning-circle" />
          <span className="visually-hidden">{text('blocks.faulty')}</span>
        </span>
      )}
    </>
  );
}

function SlotName({ row, text }: { readonly row: SlotRow; readonly text: RowText }) {
  const name = row.slot.label || row.slot.name;
  if (row.count > 0) return <span className={classes['slot']}>{name}</span>;
  return (
    <span className={classes['add']}>
      <Icon name="plus" /> {text('blocks.addTo', { name })}
    </span>
  );
}

function BlockName({ row, facts }: { readonly row: BlockRow; readonly facts: BlockFacts }) {
  const { type, content } = formatBlockLabel(facts, row.block);
  const isGlobal = row.reference !== undefined || isReference(row.block);
  return (
    <span className={classes['name']} data-global={isGlobal || undefined}>
      {isGlobal && <Icon name="globe-simple" />}
      <span className={classes['content']}>{content || type}</span>
      {content !== '' && <span className={classes['type']}>{type}</span>}
    </span>
  );
}
