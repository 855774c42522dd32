import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';

import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ok } from '../api/client.ts';
import { failureText, fieldFaults } from '../api/failure-text.ts';
import { goTo } from '../app/history.ts';
import { paths } from '../app/paths.ts';
import { pagesChanged } from '../pages/queries.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';

export function NewSite({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [title, setTitle] = useState('');
  const [domains, setDomains] = useState('');
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const faults = fieldFaults(error);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    setError(undefined);
    try {
      const { id } = await ok(api.POST('/sites', { body: { title, domains } }));
      await pagesChanged();
      onClose();
      goTo(paths.page(id, id));
    } catch (failure) {
      setError(failure);
      setSending(false);
    }
  };
  const isFieldFault = Object.keys(faults).length > 0;
  return (
    <Dialog onClose={onClose} title={t('site.new')}>
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
          <Textarea
            label={t('fields.domains')}
            description={t('site.domainsHelp')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autosize
            minRows={2}
            value={domains}
            error={faults['domains']}
            onChange={(event) => setDomains(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit" loading={isSending}>
              {t('site.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
