import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { ScrollRegion } from '../layout/scroll-region.tsx';
import classes from './answer-view.module.css';
import { ScrolledText } from './scrolled-text.tsx';

export interface AnswerPart {
  readonly name: string;
  readonly label: string;
  render(): ReactNode;
}

export interface AnswerViewProps {
  /** Status, time and address in a line. */
  readonly status: ReactNode;
  /** What can be shown of the answer, the first at first; empty if there is none. */
  readonly parts: readonly AnswerPart[];
}

/** The answer of a server: its status, and one part of it at a time. */
export function AnswerView({ status, parts }: AnswerViewProps) {
  const [chosen, setChosen] = useState('');
  const part = parts.find(({ name }) => name === chosen) ?? parts[0];
  return (
    <section aria-label={t('answer.title')} className={classes['answer']}>
      <p className="meta line" role="status">
        {status}
      </p>
      {part !== undefined && (
        <>
          <SegmentedControl
            aria-label={t('answer.part')}
            data={parts.map(({ name, label }) => ({ value: name, label }))}
            value={part.name}
            onChange={setChosen}
          />
          <ScrollRegion className={classes['shown']} label={part.label}>
            {part.render()}
          </ScrollRegion>
        </>
      )}
    </section>
  );
}

/** Longest text on the screen, in characters. */
const maxShown = 20_000;

/** The beginning of a text, or of a value as JSON. */
export function AnswerText({ value }: { readonly value: unknown }) {
  const written = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
  return <ScrolledText text={written.slice(0, maxShown)} />;
}
