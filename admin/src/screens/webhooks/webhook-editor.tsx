import { Button, Checkbox, Group, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { text, timeText } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import type { Command } from '../../commands/command.ts';
import { CommandButton, CommandMenu } from '../../commands/command-button.tsx';
import { deleteLater } from '../../commands/delayed.ts';
import { useCommands } from '../../commands/registry.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSending } from '../../kit/form/sending.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { StatusMark } from '../../ui/messages/status-mark.tsx';
import {
  type Delivery,
  deliveriesQuery,
  testWebhook,
  type Webhook,
  webhookEvents,
  webhooks,
} from './queries.ts';
import classes from './webhooks.module.css';

export interface WebhookEditorProps {
  readonly webhook: Webhook;
  onSecret(secret: string): void;
}

/** A webhook: its form, a test, and what was delivered. */
export function WebhookEditor({ webhook, onSecret }: WebhookEditorProps) {
  const { t } = useTranslation();
  const { id } = webhook;
  const [form, setForm] = useState(formOf(webhook));
  const isChanged = JSON.stringify(form) !== JSON.stringify(formOf(webhook));
  const sending = useSending(() => webhooks.update(id, form));
  const save: Command = {
    id: 'webhook.save',
    label: 'webhooks.save',
    icon: 'check',
    keys: 'mod+S',
    can: () => isChanged && !sending.isSending,
    run: () => sending.send(),
  };
  const more = moreCommands(webhook, onSecret);
  useCommands([save]);
  return (
    <div className={classes['editor']}>
      <PageHeader
        scope={
          <>
            <Link href={paths.webhooks()}>{t('nav.webhooks')}</Link> · {t('frame.allSites')}
          </>
        }
        title={webhook.name || webhook.url}
        actions={
          <>
            {isChanged && <StatusMark status="unsaved" />}
            <CommandButton command={save} />
            <CommandMenu label={t('page.more')} commands={more} />
          </>
        }
      />
      <div className={classes['body']}>
        <FormError message={sending.message} />
        <TextInput
          label={t('fields.url')}
          value={form.url}
          error={sending.faults['url']}
          onChange={(event) => setForm({ ...form, url: event.currentTarget.value })}
        />
        <TextInput
          label={t('fields.name')}
          value={form.name}
          error={sending.faults['name']}
          onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
        />
        <Checkbox.Group
          label={t('webhooks.events')}
          value={form.events}
          onChange={(names) =>
            setForm({ ...form, events: webhookEvents.filter((event) => names.includes(event)) })
          }
        >
          <Group mt={4} gap={16}>
            {webhookEvents.map((event) => (
              <Checkbox key={event} value={event} label={t(`webhooks.event.${eventKeys[event]}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <Switch
          label={t('webhooks.enabled')}
          description={t('webhooks.enabledHelp')}
          checked={form.enabled}
          onChange={(event) => setForm({ ...form, enabled: event.currentTarget.checked })}
        />
        <p className="quiet line">{t(webhook.secret_set ? 'webhooks.signed' : 'webhooks.unsigned')}</p>
        <Test id={id} />
        <Deliveries id={id} />
      </div>
    </div>
  );
}

/** Events as parts of text keys, which may not contain dots. */
const eventKeys = {
  'content.changed': 'content',
  'schema.changed': 'schema',
  'batch.applied': 'batch',
} as const;

function formOf({ url, name, events, enabled }: Webhook) {
  return { url, name, events: [...events], enabled };
}

function moreCommands({ id, name, url }: Webhook, onSecret: (secret: string) => void): readonly Command[] {
  return [
    {
      id: 'webhook.secret',
      label: 'webhooks.newSecret',
      icon: 'key',
      run: async () => {
        const { secret } = await webhooks.update(id, { regenerate_secret: true });
        if (secret !== undefined) onSecret(secret);
      },
    },
    {
      id: 'webhook.delete',
      label: 'webhooks.delete',
      icon: 'trash',
      tone: 'danger',
      run: () => {
        goTo(paths.webhooks());
        return deleteLater(`webhook ${id}`, text('code.deleted', { name: name || url }), () =>
          webhooks.remove(id),
        );
      },
    },
  ];
}

/** Sends a ping and shows the answer. */
function Test({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const [result, setResult] = useState<Delivery>();
  const sending = useSending(async () => setResult(await testWebhook(id)));
  return (
    <section className={classes['test']}>
      <Button variant="default" loading={sending.isSending} onClick={() => void sending.send()}>
        {t('webhooks.test')}
      </Button>
      <span role="status">{result === undefined ? sending.message : <Outcome delivery={result} />}</span>
    </section>
  );
}

function Outcome({ delivery }: { readonly delivery: Delivery }) {
  const { t } = useTranslation();
  const { state, status, duration_ms: ms, error } = delivery;
  return (
    <span className={classes['outcome']} data-state={state}>
      {t(`webhooks.states.${state}`)}
      {status > 0 && ` ${status}`} <span className="meta">{t('webhooks.took', { ms })}</span>
      {error !== '' && <span className="meta"> {error}</span>}
    </span>
  );
}

function Deliveries({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  // Deliveries are no changes, so nothing tells of them.
  const { data: deliveries } = useQuery({ ...deliveriesQuery(id), refetchInterval: 5000 });
  return (
    <section className={classes['deliveries']}>
      <h2>{t('webhooks.deliveries')}</h2>
      {deliveries?.length === 0 && <EmptyState>{t('webhooks.noDelivery')}</EmptyState>}
      {deliveries !== undefined && deliveries.length > 0 && (
        <ul className={classes['rows']}>
          {deliveries.map((delivery) => (
            <li key={delivery.id} className={classes['row']}>
              <span className="tabular">{timeText(delivery.at)}</span>
              <span>
                {delivery.test ? t('webhooks.ping') : delivery.event}
                {delivery.changes > 0 && (
                  <span className="meta"> {t('webhooks.changes', { count: delivery.changes })}</span>
                )}
              </span>
              <Outcome delivery={delivery} />
              <span className="meta">{t('webhooks.attempts', { count: delivery.attempts })}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
