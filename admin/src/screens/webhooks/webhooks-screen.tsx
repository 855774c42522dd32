import { TextInput } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { useCommands } from '../../commands/registry.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { FormText } from '../../kit/form/form-text.tsx';
import { useSending } from '../../kit/form/sending.ts';
import { ListAndDetail } from '../../kit/list/list-and-detail.tsx';
import { ListEntry, ListTag } from '../../kit/list/list-entry.tsx';
import { ListPane } from '../../kit/list/list-pane.tsx';
import { NothingOpen } from '../../kit/list/nothing-open.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import { type Webhook, webhooks } from './queries.ts';
import { WebhookEditor } from './webhook-editor.tsx';

/** Addresses of other servers that are told of changes. */
export function WebhooksScreen() {
  const { t } = useTranslation();
  const params: { readonly id?: string } = useParams({ strict: false });
  const { data: all } = webhooks.useList();
  const [query, setQuery] = useState('');
  const [isNew, setNew] = useState(false);
  const [secret, setSecret] = useState<string>();
  useCommands([{ id: 'webhook.new', label: 'webhooks.new', icon: 'plus', run: () => setNew(true) }]);
  const shown = (all ?? []).filter(({ name, url }) =>
    `${name} ${url}`.toLowerCase().includes(query.toLowerCase()),
  );
  const open = all?.find(({ id }) => id === params.id);
  const isMissing = params.id !== undefined && all !== undefined && open === undefined;
  return (
    <>
      <ListAndDetail
        id="webhooks"
        label={t('code.width')}
        isOpen={params.id !== undefined}
        list={
          <ListPane
            title={t('nav.webhooks')}
            count={all?.length}
            add={{ label: t('webhooks.new'), run: () => setNew(true) }}
            filter={t('code.filter')}
            query={query}
            onQuery={setQuery}
          >
            {all !== undefined && shown.length === 0 && (
              <EmptyState>{t(all.length === 0 ? 'webhooks.none' : 'tree.noHit')}</EmptyState>
            )}
            {shown.length > 0 && (
              <VirtualRows
                label={t('nav.webhooks')}
                rows={shown}
                rowHeight={32}
                isPlain
                keyOf={({ id }) => id}
                render={(webhook) => <Row webhook={webhook} isCurrent={webhook.id === params.id} />}
              />
            )}
          </ListPane>
        }
      >
        {open === undefined ? (
          <NothingOpen list={{ name: t('nav.webhooks'), path: paths.webhooks() }} isFailed={isMissing}>
            {t(isMissing ? 'webhooks.missing' : 'webhooks.choose')}
          </NothingOpen>
        ) : (
          <WebhookEditor key={open.id} webhook={open} onSecret={setSecret} />
        )}
      </ListAndDetail>
      {isNew && <NewWebhook onClose={() => setNew(false)} onSecret={setSecret} />}
      {secret !== undefined && <Secret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function Row({ webhook, isCurrent }: { readonly webhook: Webhook; readonly isCurrent: boolean }) {
  const { t } = useTranslation();
  const { id, name, url, enabled, last } = webhook;
  return (
    <ListEntry href={paths.webhook(id)} isCurrent={isCurrent} name={name || url}>
      {!enabled && <ListTag>{t('webhooks.off')}</ListTag>}
      {enabled && last?.state === 'failed' && <ListTag tone="ochre">{t('webhooks.states.failed')}</ListTag>}
    </ListEntry>
  );
}

interface NewWebhookProps {
  onClose(): void;
  onSecret(secret: string): void;
}

function NewWebhook({ onClose, onSecret }: NewWebhookProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('https://');
  const sending = useSending(async () => {
    const { id, secret } = await webhooks.create({ name, url });
    onClose();
    goTo(paths.webhook(id));
    if (secret !== undefined) onSecret(secret);
  });
  return (
    <FormDialog
      title={t('webhooks.new')}
      submit={t('webhooks.create')}
      sending={sending}
      isIncomplete={!/^https?:\/\/./.test(url)}
      onClose={onClose}
    >
      <FormText isFirst label={t('fields.url')} value={url} error={sending.faults['url']} onChange={setUrl} />
      <TextInput
        label={t('fields.name')}
        value={name}
        error={sending.faults['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** A secret, which nobody sees again. */
function Secret({ secret, onClose }: { readonly secret: string; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('webhooks.secretMade')} onClose={onClose}>
      <TextInput
        data-autofocus
        readOnly
        label={t('webhooks.secret')}
        description={t('webhooks.secretHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={secret}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Dialog>
  );
}
