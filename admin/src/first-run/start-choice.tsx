import { Radio } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';
import classes from './first-run.module.css';

export type Start = 'demo' | 'empty';

export interface StartChoiceProps {
  readonly value: Start | 'import';
  readonly icon: IconName;
  /** Shown, but not to be chosen yet. */
  readonly isComing?: boolean;
}

/** One of the ways to begin, as a card. */
export function StartChoice({ value, icon, isComing = false }: StartChoiceProps) {
  const { t } = useTranslation();
  return (
    <Radio.Card
      value={value}
      disabled={isComing}
      className={classes['card']}
      data-coming={isComing || undefined}
    >
      <Radio.Indicator disabled={isComing} />
      <Icon name={icon} size={20} />
      <span className={classes['cardText']}>
        <b>{t(`firstRun.${value}.title`)}</b>
        <span className="quiet">{t(`firstRun.${value}.text`)}</span>
      </span>
    </Radio.Card>
  );
}
