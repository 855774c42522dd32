import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { t, timeText } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { useCommands } from '../../commands/registry.ts';
import { type ImportJobSummary, useImportJobs } from '../../content/jobs/imports.ts';
import { ListAndDetail } from '../../kit/list/list-and-detail.tsx';
import { ListEntry, ListTag } from '../../kit/list/list-entry.tsx';
import { ListPane } from '../../kit/list/list-pane.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import classes from './imports.module.css';
import { JobView, readHost } from './job-view.tsx';
import { NewScan } from './new-scan.tsx';

/** Other websites, as they are taken over: the last scans and imports, and one of them. */
export function ImportsScreen() {
  const { id, tab = '' }: { readonly id?: string; readonly tab?: string } = useParams({ strict: false });
  const { data: jobs } = useImportJobs();
  const [query, setQuery] = useState('');
  const begin = () => goTo(paths.imports('new'));
  useCommands([{ id: 'import.new', label: 'imports.new', icon: 'plus', run: begin }]);
  const shown = (jobs ?? []).filter(({ url }) => url.toLowerCase().includes(query.toLowerCase()));
  return (
    <ListAndDetail
      id="imports"
      label={t('code.width')}
      isOpen={id !== undefined}
      list={
        <ListPane
          title={t('nav.import')}
          count={jobs?.length}
          add={{ label: t('imports.new'), run: begin }}
          filter={t('code.filter')}
          query={query}
          onQuery={setQuery}
        >
          {jobs !== undefined && shown.length === 0 && (
            <EmptyState>{t(jobs.length === 0 ? 'imports.none' : 'tree.noHit')}</EmptyState>
          )}
          <ul className={classes['menu']}>
            {shown.map((job) => (
              <li key={job.id}>
                <JobEntry job={job} isCurrent={job.id === id} />
              </li>
            ))}
          </ul>
        </ListPane>
      }
    >
      {id === undefined || id === 'new' ? <NewScan /> : <JobView key={id} id={id} tab={tab} />}
    </ListAndDetail>
  );
}

function JobEntry({ job, isCurrent }: { readonly job: ImportJobSummary; readonly isCurrent: boolean }) {
  const { id, url, kind, status, started_at: startedAt } = job;
  return (
    <ListEntry
      href={paths.import(id)}
      isCurrent={isCurrent}
      name={`${readHost(url)} · ${timeText(startedAt)}`}
    >
      <ListTag tone={status === 'failed' ? 'ochre' : 'slate'}>
        {t(status === 'done' ? `imports.kindOf.${kind}` : `imports.statuses.${status}`)}
      </ListTag>
    </ListEntry>
  );
}
