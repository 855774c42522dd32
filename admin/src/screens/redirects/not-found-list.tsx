import { Autocomplete, Button, Chip } from '@mantine/core';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { t, timeText } from '../../base/i18n/index.ts';
import { runCommand } from '../../commands/run.ts';
import { type PageTreeEntry, usePageTree } from '../../content/pages.ts';
import { useMedia } from '../../ui/layout/use-media.ts';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import { nearestPath } from './nearest.ts';
import { ignoreNotFound, redirects, type useNotFound } from './queries.ts';
import classes from './redirects.module.css';

type Entry = NonNullable<ReturnType<typeof useNotFound>['data']>[number];

export interface NotFoundListProps {
  readonly site: number;
  /** Undefined until they are loaded. */
  readonly entries: readonly Entry[] | undefined;
}

/** Dead addresses with the nearest page filled in: Enter makes the redirect and goes to the next row. */
export function NotFoundList({ site, entries }: NotFoundListProps) {
  const { data: pages } = usePageTree();
  const isNarrow = useMedia('(max-width: 700px)');
  const [isIgnoredShown, setIgnoredShown] = useState(false);
  const ofSite = useMemo(() => (pages ?? []).filter(({ root_id }) => root_id === site), [pages, site]);
  const shown = entries?.filter(({ ignored }) => ignored === isIgnoredShown);
  return (
    <>
      <div className={classes['bar']}>
        <p className="quiet">{t('notFound.help')}</p>
        <Chip size="xs" checked={isIgnoredShown} onChange={setIgnoredShown}>
          {t('notFound.ignored')}
        </Chip>
      </div>
      {shown?.length === 0 && <EmptyState>{t('notFound.none')}</EmptyState>}
      {shown !== undefined && shown.length > 0 && (
        <VirtualRows
          label={t('notFound.title')}
          rows={shown}
          rowHeight={isNarrow ? 148 : 56}
          keyOf={({ path }) => path}
          render={(entry) => <NotFoundRow site={site} entry={entry} pages={ofSite} />}
        />
      )}
    </>
  );
}

interface NotFoundRowProps {
  readonly site: number;
  readonly entry: Entry;
  readonly pages: readonly PageTreeEntry[];
}

function NotFoundRow({ site, entry, pages }: NotFoundRowProps) {
  const { path, hits, last_at, referer, ignored } = entry;
  const proposed = useMemo(() => nearestPath(path, pages), [path, pages]);
  const [chosen, setChosen] = useState<string>();
  const target = chosen ?? proposed;
  const create = () =>
    runCommand({
      id: 'notFound.create',
      label: 'redirects.create',
      icon: 'path',
      async run() {
        await redirects.create({ root_id: site, source: path, target, status: 301 });
        return { message: t('redirects.created', { source: path, target }) };
      },
    });
  const ignore = () =>
    runCommand({
      id: 'notFound.ignore',
      label: 'notFound.ignore',
      icon: 'prohibit',
      async run() {
        await ignoreNotFound(site, path, !ignored);
        const message = t(ignored ? 'notFound.openedAgain' : 'notFound.isIgnored', { path });
        return { message, undo: () => ignoreNotFound(site, path, ignored) };
      },
    });
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || target === '') return;
    event.preventDefault();
    const next = event.currentTarget.closest('li')?.nextElementSibling?.querySelector('input');
    void create().then(() => next?.focus());
  };
  return (
    <div className={classes['row']} data-tall="true">
      <span className={classes['hits']}>{t('redirects.hits', { count: hits })}</span>
      <span className={classes['address']}>
        <code title={path}>{path}</code>
        <span className="meta" title={referer}>
          {timeText(last_at)}
          {referer === '' ? '' : ` · ${t('notFound.from', { referer })}`}
        </span>
      </span>
      <Autocomplete
        className={classes['target'] ?? ''}
        aria-label={t('notFound.targetOf', { path })}
        placeholder={t('fields.target')}
        data={pages.map((page) => page.path)}
        limit={12}
        value={target}
        onChange={setChosen}
        onKeyDown={press}
      />
      <Button variant="default" disabled={target === ''} onClick={create}>
        {t('redirects.create')}
      </Button>
      <Button variant="subtle" color="gray" onClick={ignore}>
        {t(ignored ? 'notFound.openAgain' : 'notFound.ignore')}
      </Button>
    </div>
  );
}
