import { Button } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { changeText, countText } from '../../../base/i18n/numbers.ts';
import { Link } from '../../../base/router/link.tsx';
import classes from './ranked-list.module.css';

export interface RankedEntry {
  readonly key: string;
  readonly name: string;
  /** Title of the website, where several are shown. */
  readonly site?: string | undefined;
  readonly count: number;
  /** Undefined where nothing is compared. */
  readonly before?: number | undefined;
  /** Where it is looked at alone. */
  readonly href?: string | undefined;
}

/** Rows that are shown at first. */
const shownAtFirst = 10;

/** Names by how often, the most frequent first. */
export function RankedList({
  entries,
  unit,
}: {
  readonly entries: readonly RankedEntry[];
  readonly unit: string;
}) {
  const [isWhole, setWhole] = useState(false);
  if (entries.length === 0) return <p className="quiet line">{t('statistics.nothing')}</p>;
  const most = Math.max(1, ...entries.map(({ count }) => count));
  const shown = isWhole ? entries : entries.slice(0, shownAtFirst);
  return (
    <>
      <ol className="plain-list">
        {shown.map((entry) => (
          <li key={entry.key}>
            <Row entry={entry} share={(entry.count / most) * 100} unit={unit} />
          </li>
        ))}
      </ol>
      {entries.length > shownAtFirst && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('statistics.fewer') : t('statistics.allOf', { count: entries.length })}
        </Button>
      )}
    </>
  );
}

interface RowProps {
  readonly entry: RankedEntry;
  /** Width of its bar, 0 to 100. */
  readonly share: number;
  readonly unit: string;
}

function Row({ entry: { name, site, count, before, href }, share, unit }: RowProps) {
  const change = changeText(count, before);
  const content = (
    <>
      <span className={classes['name']} title={name}>
        {name}
        {site !== undefined && <span className={classes['site']}> · {site}</span>}
      </span>
      {before !== undefined && <span className={classes['change']}>{change ?? '–'}</span>}
      <span className={classes['number']}>
        {countText(count)} <span className="visually-hidden">{unit}</span>
      </span>
    </>
  );
  const style = { '--share': share } as CSSProperties;
  return href === undefined ? (
    <div className={classes['row']} style={style}>
      {content}
    </div>
  ) : (
    <Link href={href} className={classes['row']} style={style}>
      {content}
    </Link>
  );
}
