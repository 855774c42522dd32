import { ActionIcon, Progress } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { base } from '../../base/router/paths.ts';
import { jobSignal } from '../../content/jobs/signal.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { Tray, TrayRow } from '../../ui/messages/tray.tsx';
import type { Job } from './job.ts';
import { useJobs } from './use-jobs.ts';

/** What the server works on, over all screens but its own. What has ended well is shown until the next screen, what has failed until it is closed. */
export function JobsTray() {
  const { jobs, isAsking } = useJobs();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const seen = useSeen(jobs, path);
  const known = jobs.filter(({ id, state }) => state === 'running' || seen.ids.has(id));
  useEffect(() => {
    if (!isAsking && known.length === 0) jobSignal.lower();
  }, [isAsking, known.length]);
  const shown = known.filter((job) => job.path !== path && job.path !== base + path);
  const running = shown.filter(({ state }) => state === 'running').length;
  if (shown.length === 0) return null;
  return (
    <Tray
      label={t('jobs.title')}
      summary={running === 0 ? t('jobs.over') : t('jobs.running', { count: running })}
      close={running === 0 ? { label: t('jobs.close'), run: seen.forget } : undefined}
    >
      {shown.map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
    </Tray>
  );
}

/** The jobs that were running since the tray came, and are still news on the screen. */
function useSeen(jobs: readonly Job[], path: string) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [shownOn, setShownOn] = useState(path);
  if (path !== shownOn) {
    const done = new Set(jobs.filter(({ state }) => state === 'done').map(({ id }) => id));
    setShownOn(path);
    setIds(new Set([...ids].filter((id) => !done.has(id))));
  }
  const running = jobs.filter(({ state }) => state === 'running').map(({ id }) => id);
  const fresh = running.filter((id) => !ids.has(id));
  if (fresh.length > 0) setIds(new Set([...ids, ...fresh]));
  return { ids, forget: () => setIds(new Set()) };
}

function JobRow({ job }: { readonly job: Job }) {
  const { name, state, step, done, total, path, cancel } = job;
  const isRunning = state === 'running';
  const label = t('jobs.cancel', { name });
  return (
    <TrayRow
      state={state}
      name={
        <Link href={path} title={name}>
          {name}
        </Link>
      }
      text={isRunning ? step : t(`jobs.states.${state}`)}
    >
      {isRunning && cancel !== undefined && (
        <ActionIcon size={24} aria-label={label} onClick={() => void cancel()}>
          <Icon name="x" />
        </ActionIcon>
      )}
      {isRunning && (
        <Progress
          size={4}
          value={total === 0 ? 100 : (done / total) * 100}
          striped={total === 0}
          animated={total === 0}
          aria-label={name}
        />
      )}
    </TrayRow>
  );
}
