import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../app/history.ts';
import { paths } from '../app/paths.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { NameAndSlug } from '../ui/name-and-slug.tsx';
import { useSending } from '../ui/sending.ts';
import { slugOf } from '../ui/slug.ts';
import { createCollection } from './queries.ts';

/** A new collection with a title field. Its other fields are added on the screen that follows. */
export function NewCollection({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [ownSlug, setOwnSlug] = useState<string>();
  const [singleton, setSingleton] = useState(false);
  const slug = ownSlug ?? slugOf(name);
  const sending = useSending(async () => {
    const title = {
      name: 'title',
      label: t('collections.titleField'),
      type: 'text',
      required: true,
    } as const;
    await createCollection({ name, slug, singleton, fields: [title] });
    onClose();
    goTo(paths.collection(slug, 'fields'));
  });
  return (
    <FormDialog
      title={t('collections.new')}
      submit={t('collections.create')}
      sending={sending}
      onClose={onClose}
    >
      <NameAndSlug name={name} slug={slug} faults={sending.faults} onName={setName} onSlug={setOwnSlug} />
      <Checkbox
        label={t('fields.singleton')}
        description={t('help.singleton')}
        checked={singleton}
        onChange={(event) => setSingleton(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
