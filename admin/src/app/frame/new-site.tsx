import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ok } from '../../api/client.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { pagesChanged } from '../../content/pages.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { FormText } from '../../kit/form/form-text.tsx';
import { useSending } from '../../kit/form/sending.ts';

export function NewSite({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [title, setTitle] = useState('');
  const [domains, setDomains] = useState('');
  const sending = useSending(async () => {
    const { id } = await ok(api.POST('/sites', { body: { title, domains } }));
    await pagesChanged();
    onClose();
    goTo(paths.page(id, id));
  });
  return (
    <FormDialog title={t('site.new')} submit={t('site.create')} sending={sending} onClose={onClose}>
      <FormText
        isFirst
        label={t('fields.title')}
        value={title}
        error={sending.faults['title']}
        onChange={setTitle}
      />
      <Textarea
        label={t('fields.domains')}
        description={t('site.domainsHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={2}
        value={domains}
        error={sending.faults['domains']}
        onChange={(event) => setDomains(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
