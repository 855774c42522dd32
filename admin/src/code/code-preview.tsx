import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { PagePreview as UnsavedPage } from '../api/generated/schema.ts';
import { useField } from '../editing/editor-store.ts';
import { useCurrentSite } from '../frame/current-site.ts';
import { type PageTreeEntry, usePageTree } from '../pages/queries.ts';
import { useContentVersion } from '../preview/content-version.ts';
import { PagePreview } from '../preview/page-preview.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { usageQuery } from '../usage/queries.ts';
import type { CodeStore } from './code-commands.ts';
import type { CodeKind } from './code-object.ts';
import classes from './code-preview.module.css';

export interface CodePreviewProps {
  readonly kind: CodeKind;
  readonly store: CodeStore;
}

/** A page as it would look with the code in the editor. */
export function CodePreview({ kind, store }: CodePreviewProps) {
  const { t } = useTranslation();
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const [name] = useField(store, 'name');
  const [content] = useField(store, 'content');
  const unsaved = useMemo(
    () => unsavedCode(kind, base.id, [base.name, name], content),
    [kind, base.id, base.name, name, content],
  );
  const version = useContentVersion() + base.updated_at;
  const { users, others } = usePages(kind, base.id);
  const [chosen, setChosen] = useState<string | null>(null);
  const pages = [...users, ...others];
  const page = pages.find(({ id }) => String(id) === chosen) ?? pages[0];
  return (
    <section className={classes['pane']} aria-label={t('preview.title')}>
      {page === undefined ? (
        <EmptyState>{t('code.noPage')}</EmptyState>
      ) : (
        <PagePreview
          page={page}
          unsaved={unsaved}
          version={version}
          choice={
            <Select
              size="xs"
              className={classes['page'] ?? ''}
              aria-label={t('code.previewOn')}
              data={[
                { group: t('code.pagesThatUse'), items: choicesOf(users) },
                { group: t('code.otherPages'), items: choicesOf(others) },
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

/** @param names the stored one and that of the editor, which may be the same */
function unsavedCode(kind: CodeKind, id: number, names: readonly string[], content: string): UnsavedPage {
  if (kind.name === 'asset') return { overrides: { [id]: content } };
  return { snippets: Object.fromEntries(names.map((name) => [name, content])) };
}

/** The pages that use the code, and the others of the chosen website with the home page first. */
function usePages(kind: CodeKind, id: number) {
  const site = useCurrentSite();
  const { data: pages } = usePageTree();
  const { data: usage } = useQuery(usageQuery(kind.name, id));
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
