import * as forms from '../../api/generated/forms.ts';
import type { Webhook } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import type { Command } from '../../commands/command.ts';
import { deleteCommand } from '../../kit/delete/delete-command.tsx';
import { Choices, Toggle } from '../../kit/form/field-input.tsx';
import { ObjectForm } from '../../kit/form/object-form.tsx';
import { showSecret } from '../../kit/form/show-secret.tsx';
import { ListScreen, type RowTag } from '../../kit/list/list-screen.tsx';
import { Deliveries, WebhookTest } from './deliveries.tsx';
import { webhooks } from './queries.ts';

/** Addresses of other servers that are told of changes. */
export function WebhooksScreen() {
  return (
    <ListScreen
      resource={webhooks}
      title="nav.webhooks"
      texts="webhooks"
      list={paths.webhooks()}
      path={({ id }) => paths.webhook(id)}
      words={({ name, url }) => `${name} ${url}`}
      row={(webhook) => ({ name: nameOf(webhook), tags: tagsOf(webhook) })}
      create={{
        initial: { url: 'https://', name: '' },
        fields: ['url', { name: 'name', label: 'fields.name', isOptional: true }],
        create: (body) => webhooks.create(body),
        isReady: ({ url }) => /^https?:\/\/./.test(url),
        onDone: ({ secret }) => showOwnSecret(secret),
      }}
    >
      {(webhook) => <WebhookForm webhook={webhook} />}
    </ListScreen>
  );
}

function showOwnSecret(secret: string | undefined): void {
  if (secret === undefined) return;
  const [label, help] = [t('webhooks.secret'), t('webhooks.secretHelp')];
  showSecret({ title: t('webhooks.secretMade'), label, help, secret });
}

function nameOf({ name, url }: Webhook): string {
  return name || url;
}

function tagsOf({ enabled, last }: Webhook): readonly RowTag[] {
  if (!enabled) return [{ text: t('webhooks.off') }];
  return last?.state === 'failed' ? [{ text: t('webhooks.states.failed'), tone: 'ochre' }] : [];
}

function WebhookForm({ webhook }: { readonly webhook: Webhook }) {
  const { id } = webhook;
  const name = nameOf(webhook);
  const newSecret: Command = {
    id: 'webhooks.secret',
    label: 'webhooks.newSecret',
    icon: 'key',
    run: async () => showOwnSecret((await webhooks.update(id, { regenerate_secret: true })).secret),
  };
  const list = paths.webhooks();
  return (
    <ObjectForm
      title={name}
      list={{ name: t('nav.webhooks'), path: list }}
      saveLabel="webhooks.save"
      schema={forms.WebhookUpdate}
      texts="webhooks"
      layout={['url', 'name', 'events', 'enabled']}
      choices={{ events: ['content.changed', 'schema.changed', 'batch.applied'] }}
      inputs={{ events: Choices, enabled: Toggle }}
      object={webhook}
      save={(changes) => webhooks.update(id, changes)}
      commands={[newSecret, deleteCommand(webhooks, id, { label: 'webhooks.delete', name, list })]}
    >
      <p className="quiet line">{t(webhook.secret_set ? 'webhooks.signed' : 'webhooks.unsigned')}</p>
      <WebhookTest id={id} />
      <Deliveries id={id} />
    </ObjectForm>
  );
}
