import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { collections } from '../../content/collections.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { NameAndSlug } from '../../kit/form/name-and-slug.tsx';
import { useSending } from '../../kit/form/sending.ts';
import { slugOf } from '../../kit/form/slug.ts';

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
    await collections.create({ name, slug, singleton, fields: [title] });
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
