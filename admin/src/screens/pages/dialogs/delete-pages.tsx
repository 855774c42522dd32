import { Checkbox, Loader, TextInput } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UsageEntry } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { deletePage } from '../../../content/page-requests.ts';
import { type PageTreeEntry, pagesChanged } from '../../../content/pages.ts';
import { toKindKey, usageQuery } from '../../../content/usage.ts';
import { Consequence } from '../../../kit/delete/consequence.tsx';
import { tellDeleted } from '../../../kit/delete/tell-deleted.ts';
import { WayBack } from '../../../kit/delete/way-back.tsx';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { deletePagesAtOnce } from '../commands/bulk.ts';
import { automaticRedirectsQuery } from '../model/automatic-redirects.ts';
import { collectSubtree, listAncestors, type TreeIndex } from '../model/tree-model.ts';

export interface DeletePagesProps {
  readonly pages: readonly PageTreeEntry[];
  readonly tree: TreeIndex<PageTreeEntry>;
  onClose(): void;
}

/** Names what goes before it goes: subpages, and what links here. A website asks for its title. */
export function DeletePages({ pages, tree, onClose }: DeletePagesProps) {
  const ids = new Set(pages.map(({ id }) => id));
  // A page below another chosen page goes with it.
  const tops = pages.filter(({ id }) => !listAncestors(tree, id).some((above) => ids.has(above)));
  const all = new Set(tops.flatMap(({ id }) => [...collectSubtree(tree, id)]));
  const usages = useQueries({
    queries: tops.map(({ id }) => ({ ...usageQuery('page', id), staleTime: 0 })),
  });
  const referrers = unique(usages.flatMap(({ data }) => data?.usage ?? [])).filter(
    ({ kind, id }) => kind !== 'page' || !all.has(id),
  );
  const { users, oldAddresses, isKnown: areOwnKnown } = useOldAddresses(tree.home?.id, referrers);
  const isKnown = usages.every(({ data, error }) => data !== undefined || error !== null) && areOwnKnown;
  const [isAnyway, setAnyway] = useState(false);
  const [typed, setTyped] = useState('');
  const site = tops.find(({ parent_id }) => parent_id === null);
  const mayDelete =
    isKnown && (users.length === 0 || isAnyway) && (site === undefined || typed === site.title);

  const sending = useSubmit(async () => {
    const [only] = tops;
    // Subpages count as use, so the check belongs to a page without any.
    const isAlone = all.size === 1 && only !== undefined;
    try {
      if (isAlone) await deletePage(only.id, referrers.length === 0);
      else await deletePagesAtOnce(tops.map(({ id }) => id));
    } finally {
      await pagesChanged();
    }
    onClose();
    goTo(site === undefined ? paths.pages(tree.home?.id ?? 0) : paths.start());
    await tellDeleted(t('page.deleted', { count: all.size }));
  });
  const title =
    site === undefined
      ? t('page.deleteTitle', { count: all.size, title: tops[0]?.title ?? '' })
      : t('site.delete', { title: site.title });
  return (
    <FormDialog
      title={title}
      size={560}
      submit={t('page.deleteCount', { count: all.size })}
      sending={sending}
      isIncomplete={!mayDelete}
      isDangerous
      onClose={onClose}
    >
      {all.size > tops.length && (
        <Consequence title={t('page.goesToo', { count: all.size - tops.length })}>
          {[...all].filter((id) => !ids.has(id)).map((id) => tree.byId.get(id)?.path ?? '')}
        </Consequence>
      )}
      {!isKnown && <Loader size="sm" aria-label={t('page.lookingForLinks')} />}
      {isKnown && oldAddresses.length > 0 && (
        <Consequence title={t('page.endsWithIt', { count: oldAddresses.length })}>{oldAddresses}</Consequence>
      )}
      {isKnown && users.length === 0 && <p className="line">{t('page.nothingLinks')}</p>}
      <WayBack />
      {isKnown && users.length > 0 && (
        <>
          <Consequence title={t('page.linksHere', { count: users.length })}>
            {users.map((user) => `${t(`kinds.${toKindKey(user)}`)} "${user.title}"`)}
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
    </FormDialog>
  );
}

/** Tells what links to pages from the redirects of their own earlier addresses, which nobody has to mend. */
function useOldAddresses(site: number | undefined, referrers: readonly UsageEntry[]) {
  const hasRedirects = referrers.some(({ kind }) => kind === 'redirect');
  const { data, error } = useQuery({
    ...automaticRedirectsQuery(site ?? 0),
    enabled: hasRedirects && site !== undefined,
  });
  const isOwn = ({ kind, id }: UsageEntry) => kind === 'redirect' && data?.has(id) === true;
  return {
    users: referrers.filter((entry) => !isOwn(entry)),
    oldAddresses: referrers.filter(isOwn).map(({ title }) => title),
    isKnown: !hasRedirects || site === undefined || data !== undefined || error !== null,
  };
}

function unique(entries: readonly UsageEntry[]): readonly UsageEntry[] {
  return [...new Map(entries.map((entry) => [`${entry.kind} ${entry.id}`, entry])).values()];
}
