import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ok } from '../api/client.ts';
import { Link } from '../app/link.tsx';
import { paths } from '../app/paths.ts';
import { useDraftIds } from '../editing/drafts.ts';
import { timeText } from '../i18n/index.ts';
import { type PageTreeEntry, usePageTree } from '../pages/queries.ts';
import { useSession } from '../session/queries.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import classes from './dashboard.module.css';
import { recentChanges } from './queries.ts';

/** The first screen: what needs attention, what to go on with, what others did. */
export function DashboardScreen() {
  const { t } = useTranslation();
  return (
    <div className={classes['screen']}>
      <PageHeader title={t('nav.dashboard')} scope={t('frame.allSites')} />
      <div className={classes['parts']}>
        <Attention />
        <GoOn />
        <RecentChanges />
      </div>
    </div>
  );
}

/** Addresses that visitors did not find, for each website. */
function Attention() {
  const { t } = useTranslation();
  const { data: pages = [] } = usePageTree();
  const sites = pages.filter(({ parent_id }) => parent_id === null);
  const missing = useQueries({
    queries: sites.map(({ id }) => ({
      queryKey: ['notfound', id],
      queryFn: () => ok(api.GET('/notfound', { params: { query: { root_id: id } } })),
      // No change of content tells of them.
      staleTime: 0,
    })),
  });
  const rows = sites.flatMap((site, index) => {
    const count = missing[index]?.data?.filter(({ ignored }) => !ignored).length ?? 0;
    return count === 0 ? [] : [{ site, count }];
  });
  if (missing.some(({ isPending }) => isPending)) return null;
  return (
    <Part title={t('dashboard.attention')}>
      {rows.length === 0 && <li className={classes['none']}>{t('dashboard.allWell')}</li>}
      {rows.map(({ site, count }) => (
        <Row
          key={site.id}
          href={paths.notFound(site.id)}
          icon="link-break"
          title={t('dashboard.notFound', { count })}
          detail={site.title}
        />
      ))}
    </Part>
  );
}

/** Most rows of a part. */
const maxRows = 8;

/** Pages with unsaved changes in this browser, then those that were changed last. */
function GoOn() {
  const { t } = useTranslation();
  const { data: pages = [] } = usePageTree();
  const { data: session } = useSession();
  const unsaved = useDraftIds(session?.user?.id ?? 0, 'page');
  const order = (page: PageTreeEntry) => (unsaved.has(page.id) ? Number.MAX_SAFE_INTEGER : page.updated_at);
  const shown = pages.toSorted((left, right) => order(right) - order(left)).slice(0, maxRows);
  return (
    <Part title={t('dashboard.goOn')}>
      {shown.map((page) => (
        <Row
          key={page.id}
          href={paths.page(page.root_id, page.id)}
          icon="file-text"
          title={page.title}
          detail={`${page.path} · ${timeText(page.updated_at)}`}
          mark={<StatusMark status={unsaved.has(page.id) ? 'unsaved' : page.published ? 'live' : 'draft'} />}
        />
      ))}
    </Part>
  );
}

const icons: Readonly<Record<string, IconName>> = {
  page: 'file-text',
  snippet: 'puzzle-piece',
  asset: 'code',
  collection: 'table',
  item: 'table',
  file: 'image',
};

/** Screens of what was changed, besides pages. */
const addresses: Readonly<Record<string, (id: number) => string>> = {
  snippet: paths.snippet,
  asset: paths.asset,
  collection: (id) => paths.collection(String(id)),
  file: (id) => paths.media({ file: id }),
};

/** What was done last, by whom. */
function RecentChanges() {
  const { t } = useTranslation();
  const { data } = useQuery(recentChanges);
  const { data: pages = [] } = usePageTree();
  const hrefOf = (kind: string, id: number): string | undefined => {
    const page = kind === 'page' ? pages.find((entry) => entry.id === id) : undefined;
    return page === undefined ? addresses[kind]?.(id) : paths.page(page.root_id, id);
  };
  if (data === undefined) return null;
  if (data.length === 0) return <EmptyState>{t('dashboard.noChanges')}</EmptyState>;
  return (
    <Part title={t('dashboard.recent')}>
      {data.map(({ version, at, actor, kind, action, id, name = '' }) => (
        <Row
          key={`${version} ${kind} ${id}`}
          href={action === 'deleted' ? undefined : hrefOf(kind, id)}
          icon={icons[kind] ?? 'clock'}
          title={name}
          detail={`${t(`dashboard.actions.${action}`)} · ${actor} · ${timeText(at)}`}
        />
      ))}
    </Part>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={classes['part']}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

interface RowProps {
  readonly href?: string | undefined;
  readonly icon: IconName;
  readonly title: string;
  readonly detail: string;
  readonly mark?: ReactNode;
}

function Row({ href, icon, title, detail, mark }: RowProps) {
  const content = (
    <>
      <Icon name={icon} size={20} />
      <span className={classes['text']}>
        <b>{title}</b>
        <span className="meta">{detail}</span>
      </span>
      {mark}
    </>
  );
  return (
    <li>
      {href === undefined ? (
        <div className={classes['row']}>{content}</div>
      ) : (
        <Link href={href} className={classes['row']}>
          {content}
        </Link>
      )}
    </li>
  );
}
