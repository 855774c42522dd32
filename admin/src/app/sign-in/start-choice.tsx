import { Radio } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import type { IconName } from '../../ui/icons/icons.ts';
import classes from './first-run.module.css';

export const starts = ['demo', 'empty', 'import'] as const;
export type Start = (typeof starts)[number];

export interface StartChoiceProps {
  readonly value: Start;
  readonly icon: IconName;
  readonly isDisabled?: boolean;
}

/** One of the ways to begin, as a card. */
export function StartChoice({ value, icon, isDisabled = false }: StartChoiceProps) {
  return (
    <Radio.Card value={value} disabled={isDisabled} className={classes['card']}>
      <Radio.Indicator />
      <Icon name={icon} size={20} />
      <span className={classes['cardText']}>
        <b>{t(`firstRun.${value}.title`)}</b>
        <span className="quiet">{t(`firstRun.${value}.text`)}</span>
      </span>
    </Radio.Card>
  );
}
