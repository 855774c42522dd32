import { Radio } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from './first-run.module.css';
import blank from './pictures/blank.svg';
import company from './pictures/company.svg';
import demo from './pictures/demo.svg';
import documentation from './pictures/documentation.svg';
import empty from './pictures/empty.svg';
import magazine from './pictures/magazine.svg';

/** What needs an instance without content. */
export const wholeWebsites = ['demo', 'magazine', 'company', 'documentation', 'blank'] as const;
export type WholeWebsite = (typeof wholeWebsites)[number];
export type Start = WholeWebsite | 'empty' | 'import';

const pictures: Readonly<Record<Exclude<Start, 'import'>, string>> = {
  demo,
  magazine,
  company,
  documentation,
  blank,
  empty,
};

export interface StartChoiceProps {
  readonly value: Start;
  /** Whether websites can be installed as a whole. */
  readonly hasWholeWebsites: boolean;
  onChange(value: Start): void;
}

/** The ways to begin, as cards. */
export function StartChoice({ value, hasWholeWebsites, onChange }: StartChoiceProps) {
  const drawn = hasWholeWebsites ? ([...wholeWebsites, 'empty'] as const) : (['empty'] as const);
  const starts: readonly Start[] = [...drawn, 'import'];
  return (
    <Radio.Group
      label={t('firstRun.startWith')}
      value={value}
      onChange={(chosen) => onChange(starts.find((known) => known === chosen) ?? value)}
      classNames={{ label: classes['groupLabel'] ?? '' }}
    >
      <div className={classes['cards']}>
        {drawn.map((start) => (
          <Radio.Card key={start} value={start} className={classes['pictureCard']}>
            <img src={pictures[start]} alt="" width={192} height={112} />
            <span className={classes['card']}>
              <Radio.Indicator />
              <StartText start={start} />
            </span>
          </Radio.Card>
        ))}
      </div>
      <Radio.Card value="import" className={`${classes['card']} ${classes['plainCard']}`}>
        <Radio.Indicator />
        <Icon name="download-simple" size={20} />
        <StartText start="import" />
      </Radio.Card>
    </Radio.Group>
  );
}

function StartText({ start }: { readonly start: Start }) {
  return (
    <span className={classes['cardText']}>
      <b>{t(`firstRun.${start}.title`)}</b>
      <span className="quiet">{t(`firstRun.${start}.text`)}</span>
    </span>
  );
}
