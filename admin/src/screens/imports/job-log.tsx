import { Chip, Group } from '@mantine/core';
import { useState } from 'react';
import type { ImportLogEntry } from '../../api/generated/schema.ts';
import { findText, t, timeText } from '../../base/i18n/index.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import type { IconName } from '../../ui/icons/icons.ts';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import classes from './imports.module.css';

const levels = ['error', 'warn', 'info'] as const satisfies readonly ImportLogEntry['level'][];
const icons: Readonly<Record<ImportLogEntry['level'], IconName>> = {
  error: 'warning-circle',
  warn: 'warning',
  info: 'info',
};

/** What a job has to tell, oldest first, by how bad it is. */
export function JobLog({ log }: { readonly log: readonly ImportLogEntry[] }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const shown = log
    .map((entry, index) => ({ entry, index }))
    .filter(({ entry }) => chosen.length === 0 || chosen.includes(entry.level));
  return (
    <section className={classes['log']}>
      <div className={classes['logHead']}>
        <h2>{t('imports.log')}</h2>
        <Chip.Group multiple value={[...chosen]} onChange={setChosen}>
          <Group gap={4}>
            {levels.map((level) => (
              <Chip key={level} size="xs" value={level}>
                {t(`imports.levels.${level}`, {
                  count: log.filter((entry) => entry.level === level).length,
                })}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </div>
      {shown.length === 0 ? (
        <p className="quiet line">{t('imports.logEmpty')}</p>
      ) : (
        <div className={classes['box']}>
          <VirtualRows
            label={t('imports.log')}
            rows={shown}
            rowHeight={48}
            keyOf={({ index }) => index}
            render={({ entry }) => <LogRow entry={entry} />}
          />
        </div>
      )}
    </section>
  );
}

function LogRow({ entry }: { readonly entry: ImportLogEntry }) {
  const { level, code = '', params = {}, message, url = '', time } = entry;
  const text = findText(`errors.${code}`, params) ?? message;
  return (
    <div className={classes['logRow']} data-level={level}>
      <Icon name={icons[level]} />
      <span className={classes['logText']}>
        <span title={text}>
          <span className="visually-hidden">{t(`imports.level.${level}`)} </span>
          {text}
        </span>
        <span className="meta" title={url}>
          {url}
        </span>
      </span>
      <span className="meta tabular">{timeText(time)}</span>
    </div>
  );
}
