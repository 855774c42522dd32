import { Chip, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import type { ImportJob, ImportRunResult } from '../../content/jobs/imports.ts';
import { usePageTree } from '../../content/pages.ts';
import { TabPanes } from '../../ui/layout/tab-panes.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import { Facts } from '../../ui/values/facts.tsx';
import classes from './imports.module.css';
import { JobLog } from './job-log.tsx';
import resultClasses from './result.module.css';
import { Steps } from './steps.tsx';
import { Suggestions } from './suggestions.tsx';

const tabs = ['pages', 'files', 'log', 'suggestions'] as const;

export interface RunResultProps {
  readonly job: ImportJob;
  readonly result: ImportRunResult;
  readonly tab: string;
}

/** The last step: what was done with each page and file, and what the pages have in common. */
export function RunResultView({ job, result, tab }: RunResultProps) {
  const { data: pages } = usePageTree();
  const root = pages?.find(({ id }) => id === result.target_page_id)?.root_id;
  const current = tabs.find((name) => name === tab) ?? 'pages';
  useEffect(() => {
    for (const key of ['pages', 'files', 'folders', 'assets'])
      void queryClient.invalidateQueries({ queryKey: [key] });
  }, []);
  return (
    <div className="screen">
      <div className={resultClasses['head']}>
        <Steps current="result" />
        <p className="line" role="status">
          <b>{t('imports.done', { count: result.created + result.updated })}</b>{' '}
          {root !== undefined && (
            <Link href={paths.page(root, result.target_page_id)}>{t('imports.openTarget')}</Link>
          )}
        </p>
      </div>
      <TabPanes
        value={current}
        paneClassName={resultClasses['panel']}
        tabs={[
          {
            name: 'pages',
            label: t('imports.tabs.pages', { count: result.pages.length }),
            content: <ImportedPages result={result} />,
          },
          {
            name: 'suggestions',
            label: t('imports.tabs.suggestions'),
            content: <Suggestions jobId={job.id} />,
          },
          { name: 'files', label: t('imports.tabs.files'), content: <FileCounts result={result} /> },
          {
            name: 'log',
            label: t('imports.tabs.log', { count: job.log.length }),
            content: <JobLog log={job.log} />,
          },
        ]}
        onChange={(name) => goTo(paths.import(job.id, name === 'pages' ? '' : name), { replace: true })}
      />
    </div>
  );
}

/** What needs a look comes first. */
const actions = ['failed', 'modified', 'foreign', 'skipped', 'created', 'updated', 'unchanged'] as const;

function ImportedPages({ result }: { readonly result: ImportRunResult }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { data: pages = [] } = usePageTree();
  const roots = new Map(pages.map(({ id, root_id }) => [id, root_id]));
  const shown = actions.flatMap((action) =>
    chosen.length === 0 || chosen.includes(action)
      ? result.pages.filter((page) => page.action === action)
      : [],
  );
  return (
    <>
      <Chip.Group multiple value={[...chosen]} onChange={setChosen}>
        <Group gap={4}>
          {actions
            .filter((action) => result[action] > 0)
            .map((action) => (
              <Chip key={action} size="xs" value={action}>
                {t(`imports.actions.${action}`)} {result[action].toLocaleString()}
              </Chip>
            ))}
        </Group>
      </Chip.Group>
      {result.placeholders > 0 && (
        <p className="quiet line">{t('imports.placeholders', { count: result.placeholders })}</p>
      )}
      <div className={classes['box']}>
        <VirtualRows
          label={t('imports.importedPages')}
          rows={shown}
          rowHeight={36}
          keyOf={({ source }) => source}
          render={({ id, path, source, action }) => {
            const root = roots.get(id);
            return (
              <div className={resultClasses['row']}>
                <span className={resultClasses['action']} data-action={action}>
                  {t(`imports.actions.${action}`)}
                </span>
                {root === undefined ? (
                  <span className={resultClasses['name']}>{path || source}</span>
                ) : (
                  <Link className={resultClasses['name']} href={paths.page(root, id)}>
                    {path}
                  </Link>
                )}
                <span className={resultClasses['source']} title={source}>
                  {source}
                </span>
              </div>
            );
          }}
        />
      </div>
    </>
  );
}

const counters = [
  'files',
  'files_updated',
  'files_reused',
  'assets',
  'assets_updated',
  'assets_reused',
  'assets_kept',
  'shared_css',
  'shared_js',
] as const satisfies readonly (keyof ImportRunResult)[];

function FileCounts({ result }: { readonly result: ImportRunResult }) {
  return (
    <Facts facts={counters.map((name) => [t(`imports.counters.${name}`), result[name].toLocaleString()])} />
  );
}
