import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { collections } from '../../content/collections.ts';
import { ListEntry } from '../../kit/list/list-entry.tsx';
import { ListPane } from '../../kit/list/list-pane.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import classes from './collections.module.css';

export interface CollectionListProps {
  /** Slug or ID of the open collection. */
  readonly current: string | undefined;
  onNew(): void;
}

export function CollectionList({ current, onNew }: CollectionListProps) {
  const { t } = useTranslation();
  const { data: allCollections } = collections.useList();
  const [query, setQuery] = useState('');
  const words = query.toLowerCase();
  const shown = (allCollections ?? [])
    .filter(({ name, folder, slug }) => `${folder} ${name} ${slug}`.toLowerCase().includes(words))
    .toSorted((left, right) => `${left.folder}/${left.name}`.localeCompare(`${right.folder}/${right.name}`));
  return (
    <ListPane
      title={t('nav.collections')}
      count={allCollections?.length}
      add={{ label: t('collections.new'), run: onNew }}
      filter={t('code.filter')}
      query={query}
      onQuery={setQuery}
    >
      {allCollections?.length === 0 && (
        <EmptyState action={<Button onClick={onNew}>{t('collections.new')}</Button>}>
          {t('collections.none')}
        </EmptyState>
      )}
      {allCollections !== undefined && allCollections.length > 0 && shown.length === 0 && (
        <EmptyState>{t('tree.noHit')}</EmptyState>
      )}
      {shown.length > 0 && (
        <VirtualRows
          label={t('nav.collections')}
          rows={shown}
          rowHeight={32}
          isPlain
          keyOf={({ id }) => id}
          render={({ id, slug, name, folder, item_count }) => (
            <ListEntry
              href={paths.collection(slug)}
              isCurrent={slug === current || String(id) === current}
              folder={folder === '' ? '' : `${folder}/`}
              name={name}
            >
              <span className="meta tabular">{item_count?.toLocaleString()}</span>
            </ListEntry>
          )}
        />
      )}
      <div className={classes['foot']}>
        <Link href={paths.collectionImport()} className={classes['import']}>
          <Icon name="upload-simple" /> {t('collections.fromCsv')}
        </Link>
      </div>
    </ListPane>
  );
}
