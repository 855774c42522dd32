import { Button, Checkbox, Group, Loader, Stack, TextInput } from '@mantine/core';

import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ok } from '../../api/client.ts';
import { failureText } from '../../api/failure-text.ts';
import type { UsageEntry } from '../../api/generated/schema.ts';
import { goTo } from '../../app/history.ts';
import { paths } from '../../app/paths.ts';
import { text } from '../../i18n/index.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { showToast } from '../../ui/toasts.ts';
import { deletePagesAtOnce } from '../bulk.ts';
import { deletePage } from '../page-requests.ts';
import { type PageTreeEntry, pagesChanged } from '../queries.ts';
import { ancestorsOf, subtreeOf, type TreeIndex } from '../tree/tree-model.ts';
import classes from './delete-pages.module.css';

export interface DeletePagesProps {
  readonly pages: readonly PageTreeEntry[];
  readonly tree: TreeIndex<PageTreeEntry>;
  onClose(): void;
}

/** Names what is lost before it is lost: subpages, and what links here. A website asks for its title. */
export function DeletePages({ pages, tree, onClose }: DeletePagesProps) {
  const { t } = useTranslation();
  const ids = new Set(pages.map(({ id }) => id));
  // A page below another chosen page goes with it.
  const tops = pages.filter(({ id }) => !ancestorsOf(tree, id).some((above) => ids.has(above)));
  const all = new Set(tops.flatMap(({ id }) => [...subtreeOf(tree, id)]));
  const usages = useQueries({
    queries: tops.map(({ id }) => ({
      queryKey: ['usage', 'page', id],
      queryFn: () => ok(api.GET('/usage', { params: { query: { kind: 'page' as const, id } } })),
      staleTime: 0,
    })),
  });
  const isKnown = usages.every(({ data, error }) => data !== undefined || error !== null);
  const users = unique(usages.flatMap(({ data }) => data?.usage ?? [])).filter(
    ({ kind, id }) => kind !== 'page' || !all.has(id),
  );
  const [isAnyway, setAnyway] = useState(false);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const site = tops.find(({ parent_id }) => parent_id === null);
  const mayDelete =
    isKnown && (users.length === 0 || isAnyway) && (site === undefined || typed === site.title);

  const remove = async () => {
    setSending(true);
    setError(undefined);
    try {
      const [only] = tops;
      // Subpages count as use, so the check belongs to a page without any.
      const isAlone = all.size === 1 && only !== undefined;
      if (isAlone) await deletePage(only.id, users.length === 0);
      else await deletePagesAtOnce(tops.map(({ id }) => id));
      onClose();
      const root = tree.home?.id ?? 0;
      goTo(site === undefined ? paths.pages(root) : paths.start());
      showToast({ tone: 'done', message: text('page.deleted', { count: all.size }) });
    } catch (failure) {
      setError(failure);
      setSending(false);
    } finally {
      await pagesChanged();
    }
  };
  const title =
    site === undefined
      ? t('page.deleteTitle', { count: all.size, title: tops[0]?.title ?? '' })
      : t('site.delete', { title: site.title });
  return (
    <Dialog onClose={onClose} size={560} title={title}>
      <Stack gap={12}>
        <FormError message={error === undefined ? undefined : failureText(error)} />
        {all.size > tops.length && (
          <Consequence title={t('page.goesToo', { count: all.size - tops.length })}>
            {[...all].filter((id) => !ids.has(id)).map((id) => tree.byId.get(id)?.path ?? '')}
          </Consequence>
        )}
        {!isKnown && <Loader size="sm" aria-label={t('page.lookingForLinks')} />}
        {isKnown && users.length === 0 && <p className={classes['line']}>{t('page.nothingLinks')}</p>}
        {users.length > 0 && (
          <>
            <Consequence title={t('page.linksHere', { count: users.length })}>
              {users.map((user) => `${t(`kinds.${kindOf(user)}`)} "${user.title}"`)}
            </Consequence>
            <Checkbox
              label={t('page.deleteAnyway')}
              checked={isAnyway}
              onChange={(event) => setAnyway(event.currentTarget.checked)}
            />
          </>
        )}
        {site !== undefined && (
          <TextInput
            label={t('site.typeTitle', { title: site.title })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button color="brick" disabled={!mayDelete} loading={isSending} onClick={remove}>
            {t('page.deleteCount', { count: all.size })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Most rows of a list of consequences. */
const maxRows = 8;

function Consequence({ title, children }: { readonly title: string; readonly children: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <div className={classes['consequence']}>
      <b>{title}</b>
      <ul>
        {children.slice(0, maxRows).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {children.length > maxRows && (
        <span className="meta">{t('page.andMore', { count: children.length - maxRows })}</span>
      )}
    </div>
  );
}

function unique(entries: readonly UsageEntry[]): readonly UsageEntry[] {
  return [...new Map(entries.map((entry) => [`${entry.kind} ${entry.id}`, entry])).values()];
}

const kinds = ['page', 'snippet', 'asset', 'item', 'global', 'collection', 'workflow'] as const;

function kindOf({ kind }: UsageEntry): (typeof kinds)[number] | 'other' {
  return kinds.find((known) => known === kind) ?? 'other';
}
