import { Textarea } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { createWebsite } from '../../content/new-site.ts';
import { CreateDialog } from '../../kit/form/create-dialog.tsx';

export function NewSite({ onClose }: { readonly onClose: () => void }) {
  return (
    <CreateDialog
      title={t('site.new')}
      submit={t('site.create')}
      initial={{ title: '', domains: '' }}
      fields={['title']}
      more={({ body, faults, onChange }) => (
        <Textarea
          label={t('fields.domains')}
          description={t('site.domainsHelp')}
          value={body.domains}
          error={faults['domains']}
          onChange={(event) => onChange({ domains: event.currentTarget.value })}
        />
      )}
      create={createWebsite}
      onDone={({ id }) => goTo(paths.page(id, id))}
      onClose={onClose}
    />
  );
}
