import { t } from '../../../base/i18n/index.ts';
import type { Collection } from '../../../content/collections.ts';
import { entryTitle } from '../../../content/entry-title.ts';
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
      <table className={classes['table']}>
        <thead>
          <tr>
            <th>{t('entries.one')}</th>
            {fields.map(({ name, label }) => (
              <th key={name}>{label}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.index}>
              <th scope="row">
                {row.entry === undefined ? t('entries.paste.new') : entryTitle(collection, row.entry)}
                {row.missing.length > 0 && (
                  <Fault>
                    {t('entries.paste.missing', { fields: row.missing.map(({ label }) => label).join(', ') })}
                  </Fault>
                )}
              </th>
              {row.cells.map((cell) => (
                <td key={cell.field.name}>
                  <Cell
                    cell={cell}
                    row={row}
                    refused={
                      row.index === refused?.index && refused.fields.includes(cell.field.name)
                        ? refused.reason
                        : undefined
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <p className="meta">{t('entries.paste.more', { count: rows.length - shown.length })}</p>
      )}
    </ScrollRegion>
  );
}

interface CellProps {
  readonly cell: PastedCell;
  readonly row: PastedRow;
  readonly refused: string | undefined;
}

function Cell({ cell: { field, text, value, fault, isChanged }, row, refused }: CellProps) {
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
      {refused !== undefined && <Fault>{refused}</Fault>}
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
