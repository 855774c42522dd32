import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Warning } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import type { CodeKind } from '../../content/code-object.ts';
import { usageQuery } from '../../content/usage.ts';
import { toFieldRecord } from '../../editing/fields.ts';
import { useAreVersionsAsked } from '../../editors/versions/asked.ts';
import { RevisionList } from '../../editors/versions/revision-list.tsx';
import { UserList } from '../../kit/delete/user-list.tsx';
import { TabBar } from '../../ui/layout/tab-bar.tsx';
import classes from './code-screen.module.css';
import type { CodeStore } from './code-store.ts';
import { PageLayoutPanel } from './page-layout.tsx';

const BlockTypePanel = lazy(async () => ({ default: (await import('./block-type.tsx')).BlockTypePanel }));

export interface CodePanelsProps {
  readonly kind: CodeKind;
  readonly store: CodeStore;
  readonly findings: readonly Warning[];
}

/** Below the code: what is wrong with it, what uses it, and how it was before. */
export function CodePanels({ kind, store, findings }: CodePanelsProps) {
  const [shown, setShown] = useState<string | null>(useAreVersionsAsked() ? 'history' : 'problems');
  const { id } = store.base;
  const { data: usage } = useQuery(usageQuery(kind.name, id));
  return (
    <Tabs
      value={shown}
      onChange={setShown}
      className={classes['below'] ?? ''}
      // A form needs more room than a list of findings.
      mod={{ tall: shown === 'blockType' }}
      keepMounted={false}
    >
      <TabBar value={shown}>
        <Tabs.Tab value="problems">{t('code.problems', { count: findings.length })}</Tabs.Tab>
        <Tabs.Tab value="usage">{t('code.usedBy', { count: usage?.usage.length ?? 0 })}</Tabs.Tab>
        {kind.name === 'snippet' && (
          <>
            <Tabs.Tab value="blockType">{t('blockType.title')}</Tabs.Tab>
            <Tabs.Tab value="pageLayout">{t('pageLayout.title')}</Tabs.Tab>
          </>
        )}
        <Tabs.Tab value="history">{t('history.title')}</Tabs.Tab>
      </TabBar>
      <Tabs.Panel value="problems" className={classes['belowPanel'] ?? ''}>
        {findings.length === 0 ? (
          <span className="quiet">{t('code.noProblems')}</span>
        ) : (
          <ul className={classes['rows']}>
            {findings.map(({ code, level, error, params }) => (
              <li key={`${code} ${error}`} className={classes['finding']} data-level={level}>
                <b>{t(`code.${level}`)}</b>
                <span className="meta">{t('code.line', { line: String(params['line'] ?? '') })}</span>
                <span>{error.replace(/^.*?:\d+:\d+: /, '')}</span>
              </li>
            ))}
          </ul>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="usage" className={classes['belowPanel'] ?? ''}>
        <UserList entries={usage?.usage ?? []} />
      </Tabs.Panel>
      <Tabs.Panel value="blockType" className={classes['belowPanel'] ?? ''}>
        <Suspense>
          <BlockTypePanel store={store} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="pageLayout" className={classes['belowPanel'] ?? ''}>
        <PageLayoutPanel store={store} />
      </Tabs.Panel>
      <Tabs.Panel value="history" className={classes['belowPanel'] ?? ''}>
        <RevisionList
          kind={kind.name}
          id={id}
          current={toFieldRecord(store.base)}
          fields={['content', 'description', 'schema']}
          kept={t('history.keptOfCode')}
          onRestored={async () => {
            store.discard();
            await kind.resource.changed();
          }}
        />
      </Tabs.Panel>
    </Tabs>
  );
}
