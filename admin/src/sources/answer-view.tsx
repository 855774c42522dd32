import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SourceTestResult } from '../api/generated/schema.ts';
import { JsonTree } from '../ui/json-tree.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { ScrolledText } from '../ui/scrolled-text.tsx';
import { ListTable } from './list-table.tsx';
import classes from './sources.module.css';

type Answer = SourceTestResult['result'];

const views = ['list', 'tree', 'text', 'headers'] as const;
type View = (typeof views)[number];

/** The answer of a source: what the path finds as a table, the whole of it as a tree or text, its headers. */
export function AnswerView({ answer }: { readonly answer: Answer }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<View>('list');
  const { status, duration_ms: ms, url, data } = answer;
  const offered: readonly View[] = data === null ? views.filter((view) => view !== 'list') : views;
  const view = offered.includes(chosen) ? chosen : 'tree';
  return (
    <section aria-label={t('sources.answer')} className={classes['answer']}>
      <p className="meta line" role="status">
        {status === 0 ? t('sources.noAnswer', { ms }) : t('sources.status', { status, ms })}{' '}
        <code>{url}</code>
      </p>
      {status !== 0 && (
        <>
          <SegmentedControl
            aria-label={t('sources.view')}
            data={offered.map((value) => ({ value, label: t(`sources.views.${value}`) }))}
            value={view}
            onChange={(value) => setChosen(views.find((name) => name === value) ?? 'list')}
          />
          <ScrollRegion className={classes['shown']} label={t(`sources.views.${view}`)}>
            <Shown answer={answer} view={view} />
          </ScrollRegion>
        </>
      )}
    </section>
  );
}

function Shown({ answer: { data, raw, headers }, view }: { readonly answer: Answer; readonly view: View }) {
  if (view === 'list') return <ListTable list={data} />;
  if (view === 'tree') return <JsonTree value={raw} />;
  if (view === 'headers') return <JsonTree value={headers} />;
  return <ScrolledText text={shownText(raw)} />;
}

/** Longest part of an answer on the screen, in characters. */
const maxShown = 20_000;

function shownText(value: unknown): string {
  const written = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
  return written.slice(0, maxShown);
}
