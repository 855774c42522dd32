import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Warning } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import type { CodeKind } from '../../content/code/code-object.ts';
import { usageQuery } from '../../content/usage.ts';
import { useAreVersionsAsked } from '../../editors/versions/asked.ts';
import { RevisionList } from '../../editors/versions/revision-list.tsx';
import { UserList } from '../../kit/delete/user-list.tsx';
import { TabPanes } from '../../ui/layout/tab-panes.tsx';
import classes from './code-screen.module.css';
import type { CodeStore } from './code-store.ts';
import { PageLayoutPanel } from './page-layout.tsx';

const BlockTypePanel = lazy(async () => ({ default: (await import('./block-type.tsx')).BlockTypePanel }));

type PanelName = 'problems' | 'usage' | 'blockType' | 'pageLayout' | 'history';

export interface CodePanelsProps {
  readonly kind: CodeKind;
  readonly store: CodeStore;
  readonly findings: readonly Warning[];
}

/** Below the code: what is wrong with it, what uses it, and how it was before. */
export function CodePanels({ kind, store, findings }: CodePanelsProps) {
  const [shown, setShown] = useState<PanelName>(useAreVersionsAsked() ? 'history' : 'problems');
  const { id } = store.base;
  const { data: usage } = useQuery(usageQuery(kind.name, id));
  return (
    <TabPanes
      value={shown}
      // A form needs more room than a list of findings.
      className={classes[shown === 'blockType' ? 'tall' : 'below']}
      paneClassName={classes['belowPanel']}
      tabs={[
        {
          name: 'problems',
          label: t('code.problems', { count: findings.length }),
          content: <Problems findings={findings} />,
        },
        {
          name: 'usage',
          label: t('code.usedBy', { count: usage?.usage.length ?? 0 }),
          content: <UserList entries={usage?.usage ?? []} />,
        },
        kind.name === 'snippet' && {
          name: 'blockType',
          label: t('blockType.title'),
          content: (
            <Suspense>
              <BlockTypePanel store={store} />
            </Suspense>
          ),
        },
        kind.name === 'snippet' && {
          name: 'pageLayout',
          label: t('pageLayout.title'),
          content: <PageLayoutPanel store={store} />,
        },
        { name: 'history', label: t('history.title'), content: <History kind={kind} store={store} /> },
      ]}
      onChange={setShown}
    />
  );
}

function Problems({ findings }: Pick<CodePanelsProps, 'findings'>) {
  if (findings.length === 0) return <span className="quiet">{t('code.noProblems')}</span>;
  return (
    <ul className="plain-list">
      {findings.map(({ code, level, error, params }) => (
        <li key={`${code} ${error}`} className={classes['finding']} data-level={level}>
          <b>{t(`code.${level}`)}</b>
          <span className="meta">{t('code.line', { line: String(params['line'] ?? '') })}</span>
          <span>{error.replace(/^.*?:\d+:\d+: /, '')}</span>
        </li>
      ))}
    </ul>
  );
}

function History({ kind, store }: Pick<CodePanelsProps, 'kind' | 'store'>) {
  return (
    <RevisionList
      kind={kind.name}
      store={store}
      kept={t('history.keptOfCode')}
      changed={() => kind.resource.changed()}
    />
  );
}
