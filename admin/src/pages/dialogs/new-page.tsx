import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ok } from '../../api/client.ts';
import { failureText, fieldFaults } from '../../api/failure-text.ts';
import { goTo } from '../../app/history.ts';
import { paths } from '../../app/paths.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { createPage } from '../page-requests.ts';
import type { PageTreeEntry } from '../queries.ts';
import classes from './new-page.module.css';
import { slugOf } from './slug.ts';

export interface NewPageProps {
  readonly parent: PageTreeEntry;
  onClose(): void;
}

/** A new page: the slug follows the title until it is changed by hand. */
export function NewPage({ parent, onClose }: NewPageProps) {
  const { t } = useTranslation();
  const { data: layouts = [] } = useQuery({
    queryKey: ['page-layouts'],
    queryFn: () => ok(api.GET('/page-layouts')),
  });
  const [title, setTitle] = useState('');
  const [ownSlug, setOwnSlug] = useState<string>();
  const [chosenLayout, setLayout] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const slug = ownSlug ?? slugOf(title);
  const preset = layouts.find((layout) => layout.default) ?? layouts[0];
  const layout = chosenLayout ?? String(preset?.id ?? '');
  const faults = fieldFaults(error);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    setError(undefined);
    try {
      const layoutId = layout === '' ? {} : { layout_id: Number(layout) };
      const page = await createPage({ parent_id: parent.id, title, slug, ...layoutId });
      onClose();
      goTo(paths.page(page.root_id, page.id));
    } catch (failure) {
      setError(failure);
      setSending(false);
    }
  };
  const address = `${parent.path === '/' ? '' : parent.path}/${slug}`;
  const isFieldFault = Object.keys(faults).length > 0;
  return (
    <Dialog onClose={onClose} size={560} title={t('page.newTitle', { parent: parent.title })}>
      <form onSubmit={send}>
        <Stack gap={16}>
          <FormError message={error === undefined || isFieldFault ? undefined : failureText(error)} />
          <TextInput
            data-autofocus
            label={t('fields.title')}
            required
            withAsterisk={false}
            value={title}
            error={faults['title']}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <TextInput
            label={t('fields.slug')}
            description={address}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            withAsterisk={false}
            value={slug}
            error={faults['slug']}
            onChange={(event) => setOwnSlug(event.currentTarget.value)}
          />
          {layouts.length > 0 && (
            <Radio.Group label={t('page.layout')} value={layout} onChange={setLayout}>
              <div className={classes['layouts']}>
                {[...layouts, { id: '', label: t('page.noLayout'), description: t('page.noLayoutText') }].map(
                  (entry) => (
                    <Radio.Card key={entry.id} value={String(entry.id)} className={classes['layout']}>
                      <b>{entry.label}</b>
                      <span className="meta">{entry.description}</span>
                    </Radio.Card>
                  ),
                )}
              </div>
            </Radio.Group>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit" loading={isSending}>
              {t('page.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
