import { Button, NativeSelect } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, requireData } from '../../../api/client.ts';
import { t } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { CommandButton } from '../../../commands/command-button.tsx';
import { runCommand } from '../../../commands/run.ts';
import { type Collection, collections } from '../../../content/collections.ts';
import { entriesChanged } from '../../../content/entries.ts';
import { EntrySelect } from '../../../editors/fields/reference-input.tsx';
import { StatusMark } from '../../../ui/messages/status-mark.tsx';
import classes from './entry-editor.module.css';

/** The versions of an entry in other languages, each in the collection of its language. */
export function EntryLanguages({ collection, id }: { readonly collection: Collection; readonly id: number }) {
  const { data: allCollections = [] } = collections.useList();
  const path = { ref: String(collection.id), id };
  const { data: versions = [] } = useQuery(
    queryOptions({
      queryKey: ['entries', collection.id, 'translations', id],
      queryFn: () => requireData(api.GET('/collections/{ref}/items/{id}/translations', { params: { path } })),
      enabled: collection.lang !== '',
    }),
  );
  const others = allCollections.filter(({ lang }) => lang !== '' && lang !== collection.lang);
  const [chosen, setChosen] = useState('');
  const other = others.find(({ slug }) => slug === chosen) ?? others[0];
  const [entry, setEntry] = useState<number>();
  if (collection.lang === '' || (others.length === 0 && versions.length === 0)) return null;
  const link = () =>
    runCommand({
      id: 'translation.link',
      label: 'translation.link',
      icon: 'translate',
      async run() {
        const body = { collection: other?.id ?? 0, item_id: entry ?? 0 };
        await requireData(api.POST('/collections/{ref}/items/{id}/translations', { params: { path }, body }));
        setEntry(undefined);
        await entriesChanged(collection.id);
        return { message: t('entries.linked') };
      },
    });
  return (
    <section className={classes['section']}>
      <h3>{t('translation.title')}</h3>
      {versions.length > 0 && (
        <ul className={classes['languages']}>
          {versions.map((version) => (
            <li key={version.item_id}>
              <b>{version.lang}</b>
              <Link href={paths.collection(version.collection, version.item_id)}>{version.title}</Link>
              <StatusMark status={version.published ? 'live' : 'draft'} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <>
          <NativeSelect
            label={t('entries.otherCollection')}
            data={others.map(({ slug, name, lang }) => ({ value: slug, label: `${name} (${lang})` }))}
            value={other?.slug ?? ''}
            onChange={(event) => {
              setChosen(event.currentTarget.value);
              setEntry(undefined);
            }}
          />
          <LinkedEntry key={other?.id} collection={other?.id ?? null} entry={entry} onChoose={setEntry} />
          <div>
            <Button variant="default" disabled={entry === undefined} onClick={link}>
              {t('translation.link')}
            </Button>{' '}
            {versions.length > 0 && (
              <CommandButton
                variant="subtle"
                command={{
                  id: 'translation.leave',
                  label: 'translation.leave',
                  icon: 'link-break',
                  async run() {
                    await requireData(
                      api.DELETE('/collections/{ref}/items/{id}/translations', { params: { path } }),
                    );
                    await entriesChanged(collection.id);
                    return { message: t('entries.left') };
                  },
                }}
              />
            )}
          </div>
        </>
      )}
    </section>
  );
}

interface LinkedEntryProps {
  readonly collection: number | null;
  readonly entry: number | undefined;
  onChoose(id: number | undefined): void;
}

function LinkedEntry({ collection, entry, onChoose }: LinkedEntryProps) {
  return (
    <EntrySelect
      label={t('entries.otherEntry')}
      collection={collection}
      chosen={entry}
      chosenTitle={entry === undefined ? '' : `#${entry}`}
      onChoose={onChoose}
    />
  );
}
