import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { PagePreview as UnsavedPage } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { useCurrentSite } from '../../content/current-site.ts';
import { type PageTreeEntry, usePageTree } from '../../content/pages.ts';
import { type UsedKind, usageQuery } from '../../content/usage.ts';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { useContentVersion } from './content-version.ts';
import { PagePreview } from './page-preview.tsx';
import classes from './using-pages.module.css';

export interface UsingPagesProps {
  readonly kind: UsedKind;
  readonly id: number;
  /** What the pages show in place of what is stored; the same object as long as it is the same. */
  readonly unsaved: UnsavedPage;
  /** Changes when the object is saved. */
  readonly updatedAt: number;
}

/** A page that uses an object, as it would look with what is not saved of it. Any other can be chosen too. */
export function UsingPages({ kind, id, unsaved, updatedAt }: UsingPagesProps) {
  const version = useContentVersion() + updatedAt;
  const { users, others } = usePages(kind, id);
  const [chosen, setChosen] = useState<string | null>(null);
  const pages = [...users, ...others];
  const page = pages.find(({ id }) => String(id) === chosen) ?? pages[0];
  return (
    <section className={classes['pane']} aria-label={t('preview.title')}>
      {page === undefined ? (
        <EmptyState>{t('preview.noPage')}</EmptyState>
      ) : (
        <PagePreview
          page={page}
          unsaved={unsaved}
          version={version}
          choice={
            <Select
              size="xs"
              className={classes['page'] ?? ''}
              aria-label={t('preview.onPage')}
              data={[
                { group: t('preview.usingPages'), items: choicesOf(users) },
                { group: t('preview.otherPages'), items: choicesOf(others) },
              ]}
              value={String(page.id)}
              searchable
              limit={50}
              onChange={setChosen}
            />
          }
        />
      )}
    </section>
  );
}

/** The pages that use the object, and the others of the chosen website with the home page first. */
function usePages(kind: UsedKind, id: number) {
  const site = useCurrentSite();
  const { data: pages } = usePageTree();
  const { data: usage } = useQuery(usageQuery(kind, id));
  return useMemo(() => {
    const ids = new Set((usage?.usage ?? []).flatMap((user) => (user.kind === 'page' ? [user.id] : [])));
    const isUser = ({ id: page }: PageTreeEntry) => ids.has(page);
    const all = usage === undefined ? [] : (pages ?? []);
    const others = all.filter((page) => page.root_id === site && !isUser(page));
    return {
      users: all.filter(isUser),
      others: others.toSorted((left, right) => Number(right.id === site) - Number(left.id === site)),
    };
  }, [pages, usage, site]);
}

function choicesOf(pages: readonly PageTreeEntry[]) {
  return pages.map(({ id, title, path }) => ({ value: String(id), label: `${title} (${path})` }));
}
