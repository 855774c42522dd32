import { t } from '../../../base/i18n/index.ts';
import type { Collection } from '../../../content/collections.ts';
import { entryTitle } from '../../../content/entry-title.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import { cellText } from '../cells/cell-text.ts';
import type { PastedCell, PastedRow, PastePlan } from './paste-plan.ts';
import classes from './paste-preview.module.css';

/** A row that the server has refused. */
export interface RefusedRow {
  readonly index: number;
  readonly reason: string;
  /** Names of the fields that the reason is about. */
  readonly fields: readonly string[];
}

export interface PastePreviewProps {
  readonly collection: Collection;
  readonly plan: PastePlan;
  readonly refused: RefusedRow | undefined;
}

/** Most rows on the screen. */
const maxShown = 100;

/** The pasted rows: old value, new value, and what does not fit. Rows with a fault are always among those shown. */
export function PastePreview({ collection, plan: { fields, rows }, refused }: PastePreviewProps) {
  const faulty = rows.filter((row) => isFaulty(row) || row.index === refused?.index).slice(0, maxShown);
  const others = rows.filter((row) => !faulty.includes(row)).slice(0, maxShown - faulty.length);
  const shown = [...faulty, ...others].toSorted((left, right) => left.index - right.index);
  return (
    <ScrollRegion className={classes['scroll']} label={t('entries.paste.preview')}>
      <DataTable
        className={classes['table']}
        rows={shown}
        keyOf={({ index }) => index}
        columns={[
          { head: t('entries.one'), isName: true, cell: (row) => <Entry {...{ collection, row }} /> },
          ...fields.map(({ name, label }, place) => ({
            id: `field ${name}`,
            head: label,
            cell: (row: PastedRow) => <Cell row={row} cell={row.cells[place]} refused={refused} />,
          })),
        ]}
      />
      {shown.length < rows.length && (
        <p className="meta">{t('entries.paste.more', { count: rows.length - shown.length })}</p>
      )}
    </ScrollRegion>
  );
}

function Entry({
  collection,
  row: { entry, missing },
}: Pick<PastePreviewProps, 'collection'> & Pick<CellProps, 'row'>) {
  return (
    <>
      {entry === undefined ? t('entries.paste.new') : entryTitle(collection, entry)}
      {missing.length > 0 && (
        <Fault>{t('entries.paste.missing', { fields: missing.map(({ label }) => label).join(', ') })}</Fault>
      )}
    </>
  );
}

interface CellProps extends Pick<PastePreviewProps, 'refused'> {
  readonly row: PastedRow;
  readonly cell: PastedCell | undefined;
}

function Cell({ cell, row, refused }: CellProps) {
  if (cell === undefined) return null;
  const { field, text, value, fault, isChanged } = cell;
  if (fault !== undefined)
    return (
      <>
        {text} <Fault>{t(`entries.paste.${fault}`, { options: field.options.join(', ') })}</Fault>
      </>
    );
  const after = cellText(field, value);
  if (!isChanged) return <span className="quiet">{after}</span>;
  const before = row.entry === undefined ? '' : cellText(field, row.entry.data[field.name]);
  return (
    <>
      {before !== '' && <del>{before}</del>} <ins>{after === '' ? t('entries.isEmpty') : after}</ins>
      {row.index === refused?.index && refused.fields.includes(field.name) && <Fault>{refused.reason}</Fault>}
    </>
  );
}

function Fault({ children }: { readonly children: string }) {
  return (
    <span className={classes['fault']}>
      <Icon name="warning" /> {children}
    </span>
  );
}

function isFaulty({ cells, missing }: PastedRow): boolean {
  return missing.length > 0 || cells.some(({ fault }) => fault !== undefined);
}
