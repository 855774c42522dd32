import { t } from '../../base/i18n/index.ts';
import { changeText, countText } from '../../base/i18n/numbers.ts';

export interface FigureProps {
  readonly name: string;
  readonly count: number;
  /** Of the period before; undefined where nothing is compared. */
  readonly before: number | undefined;
}

/** A large number with its change. */
export function Figure({ name, count, before }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {countText(count)}
        {before !== undefined && (
          <span className="meta">
            {changeText(count, before) ?? '–'} · {t('statistics.beforeCount', { value: countText(before) })}
          </span>
        )}
      </dd>
    </div>
  );
}
