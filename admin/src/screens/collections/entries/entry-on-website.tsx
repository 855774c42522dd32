/** An entry where a detail page shows it: as it is on the website, and with what is not saved yet. */
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { Command } from '../../../commands/command.ts';
import { CommandButton } from '../../../commands/command-button.tsx';
import { useCommands } from '../../../commands/registry.ts';
import type { Collection } from '../../../content/collections.ts';
import { type Page, pageQuery } from '../../../content/pages.ts';
import { openPage, pathBelow } from '../../../content/public-address.ts';
import { toFieldRecord } from '../../../editing/merge/fields.ts';
import fields from '../../../editors/fields/entry-fields.module.css';
import { useContentVersion } from '../../../editors/preview/content-version.ts';
import device from '../../../editors/preview/device.module.css';
import { PagePreview } from '../../../editors/preview/page-preview.tsx';
import classes from './entry-editor.module.css';
import { createEntryKey, type EntryStore, toEntryBody } from './entry-store.ts';

interface EntryOnWebsiteProps {
  readonly collection: Collection;
  readonly id: number | 'new';
  readonly store: EntryStore;
}

export function EntryOnWebsite(props: EntryOnWebsiteProps) {
  const pageId = props.collection.detail_page_id;
  const { data: page } = useQuery({ ...pageQuery(pageId), enabled: pageId !== 0 });
  return page === undefined ? null : <OnDetailPage {...props} page={page} />;
}

function OnDetailPage({ collection, id, store, page }: EntryOnWebsiteProps & { readonly page: Page }) {
  const [isOpen, setOpen] = useState(false);
  const key = createEntryKey(collection.detail_field);
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const slug = useSyncExternalStore(store.subscribe, () => String(store.get(key) ?? ''));
  const saved = String(base[key] ?? '');
  const view: Command = {
    id: 'page.view',
    label: 'entries.view',
    icon: 'arrow-square-out',
    keys: 'F8',
    can: () => id !== 'new' && saved !== '',
    run: () =>
      openPage({
        path: pathBelow(page, saved),
        published: page.published && base.published,
        root_id: page.root_id,
      }),
  };
  const preview: Command = {
    id: 'entry.preview',
    label: 'preview.title',
    icon: 'desktop',
    // The page finds its entry among those that are stored.
    can: () => id !== 'new' && slug !== '',
    run: () => setOpen(true),
  };
  useCommands([view, preview]);
  return (
    <div className={classes['onWebsite']}>
      <CommandButton command={preview} variant="default" size="compact-sm" withIcon />
      <CommandButton command={view} variant="default" size="compact-sm" withIcon />
      {isOpen && (
        <Modal
          opened
          fullScreen
          title={t('preview.of', { title: pathBelow(page, slug) })}
          closeButtonProps={{ 'aria-label': t('actions.close') }}
          classNames={{ content: fields['window'] ?? '', body: fields['windowBody'] ?? '' }}
          onClose={() => setOpen(false)}
        >
          <Unsaved collection={collection} id={base.id} store={store} page={page} slug={slug} />
        </Modal>
      )}
    </div>
  );
}

interface UnsavedProps extends Omit<EntryOnWebsiteProps, 'id'> {
  readonly id: number;
  readonly page: Page;
  readonly slug: string;
}

function Unsaved({ collection, id, store, page, slug }: UnsavedProps) {
  const version = useContentVersion();
  const changes = useSyncExternalStore(store.subscribe, () => store.changes);
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const unsaved = useMemo(() => {
    const { data } = toEntryBody(toFieldRecord({ ...base, ...changes }));
    return { rest: [slug], item: { collection: collection.slug, id, data } };
  }, [base, changes, slug, collection.slug, id]);
  const shown = { ...page, path: pathBelow(page, slug) };
  return (
    <div className={device['pane']}>
      <PagePreview page={shown} unsaved={unsaved} version={version} choice={null} />
    </div>
  );
}
