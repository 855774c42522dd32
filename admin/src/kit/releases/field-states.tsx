import type { ReactNode } from 'react';
import type { ItemDiff } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { ComparedValue } from '../../ui/values/compared-value.tsx';
import classes from './field-states.module.css';
import { fieldText } from './texts.ts';

type FieldState = ItemDiff['fields'][number];

interface FieldStatesProps {
  /** The object that has the field. */
  readonly of: string;
  readonly state: FieldState;
  /** What the changed value is called. Default: that of a release. */
  readonly mine?: string;
  /** The choice between them, below. */
  readonly children?: ReactNode;
}

/** A changed field: as it is live and in the release, and as it was if both have changed it. */
export function FieldStates({ of, state, mine: mineTitle = t('releases.mine'), children }: FieldStatesProps) {
  const { field, base, mine, live, conflict } = state;
  const name = fieldText(field);
  return (
    <fieldset className={classes['field']} aria-label={`${of}: ${name}`}>
      <h2>
        {name} {conflict && <span className={classes['disputed']}>{t('releases.disputed')}</span>}
      </h2>
      <div className={classes['sides']}>
        {conflict && <ComparedValue title={t('releases.before')} value={base} other={base} />}
        <ComparedValue title={t('releases.live')} value={live} other={mine} />
        <ComparedValue title={mineTitle} value={mine} other={live} />
      </div>
      {children}
    </fieldset>
  );
}
