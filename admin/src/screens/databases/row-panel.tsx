import { t } from '../../base/i18n/index.ts';
import { SidePanel } from '../../ui/layout/side-panel.tsx';
import { ScrolledText } from '../../ui/values/scrolled-text.tsx';
import { cellText, keyText } from './cell-text.ts';
import classes from './databases.module.css';
import type { Column, Row } from './queries.ts';

export interface RowPanelProps {
  readonly columns: readonly Column[];
  readonly row: Row;
  /** Address without the panel. */
  readonly back: string;
}

/** A row with all its values in full. */
export function RowPanel({ columns, row, back }: RowPanelProps) {
  const key = keyText(columns, row);
  return (
    <SidePanel
      title={key === '' ? t('databases.row') : t('databases.rowOf', { key })}
      actions={null}
      back={back}
    >
      <dl className={classes['values']}>
        {columns.map(({ name, ui_type }) => (
          <div key={name}>
            <dt>
              {name} <span className="meta">{ui_type}</span>
            </dt>
            <dd>
              {row[name] === null || row[name] === undefined ? (
                <span className="quiet">{t('databases.empty')}</span>
              ) : (
                <ScrolledText text={cellText(row[name], 2)} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </SidePanel>
  );
}
