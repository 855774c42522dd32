import { Button } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import type { Command } from '../../commands/command.ts';
import { CommandMenu } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import type { Collection } from '../../content/collections.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { TabPanes } from '../../ui/layout/tab-panes.tsx';
import classes from './collections.module.css';
import { CsvImport } from './csv/csv-import.tsx';
import { SingleEntry } from './entries/single-entry.tsx';
import { FieldsTab } from './fields/fields-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { EntriesTab } from './table/entries-tab.tsx';
import { VersionsTab } from './versions-tab.tsx';

export interface CollectionViewProps {
  readonly collection: Collection;
  /** Last part of the address: `fields`, `settings`, `history`, `import`, `new` or the ID of an entry. */
  readonly part: string;
  /** Query of the address. */
  readonly search: string;
}

/** A collection: its entries, its fields, its settings. */
export function CollectionView({ collection, part, search }: CollectionViewProps) {
  const { slug, name, folder, singleton } = collection;
  const tab = part === 'fields' || part === 'settings' || part === 'history' ? part : 'entries';
  const commands: readonly Command[] = [
    {
      id: 'entries.import',
      label: 'entries.import',
      icon: 'upload-simple',
      can: () => !singleton,
      run: () => goTo(paths.collection(slug, 'import')),
    },
    {
      id: 'entries.export',
      label: 'entries.export',
      icon: 'download-simple',
      run: () => void location.assign(`/api/v1/collections/${slug}/export`),
    },
  ];
  useCommands(commands);
  return (
    <div className={classes['view']}>
      <PageHeader
        scope={
          <>
            <Link href={paths.collections()}>{t('nav.collections')}</Link>
            {folder === '' ? '' : ` / ${folder}`} · {t('frame.allSites')}
          </>
        }
        title={name}
        actions={
          <>
            {!singleton && (
              <Button
                variant={part === '' ? 'filled' : 'default'}
                leftSection={<Icon name="plus" />}
                onClick={() => goTo(paths.collection(slug, 'new', search))}
              >
                {t('entries.new')}
              </Button>
            )}
            <CommandMenu label={t('collections.actions')} commands={commands} />
          </>
        }
      />
      {part === 'import' ? (
        <div className={classes['scroll']}>
          <CsvImport collection={collection} />
        </div>
      ) : (
        <TabPanes
          value={tab}
          tabs={[
            {
              name: 'entries',
              label: t(singleton ? 'entries.one' : 'entries.title'),
              content: singleton ? (
                <SingleEntry collection={collection} />
              ) : (
                <EntriesTab collection={collection} open={openOf(part)} search={search} />
              ),
            },
            {
              name: 'fields',
              label: t('schema.title'),
              content: <FieldsTab key={collection.updated_at} collection={collection} />,
            },
            {
              name: 'settings',
              label: t('page.tabs.settings'),
              content: <SettingsTab key={collection.id} collection={collection} />,
            },
            {
              name: 'history',
              label: t('page.tabs.history'),
              content: <VersionsTab key={collection.id} collection={collection} />,
            },
          ]}
          onChange={(name) => goTo(paths.collection(slug, name === 'entries' ? '' : name), { replace: true })}
        />
      )}
    </div>
  );
}

function openOf(part: string): number | 'new' | undefined {
  if (part === 'new') return 'new';
  return /^\d+$/.test(part) ? Number(part) : undefined;
}
