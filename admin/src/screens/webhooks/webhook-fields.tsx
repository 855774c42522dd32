import { Checkbox, Group, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Webhook } from '../../api/generated/schema.ts';
import type { ObjectFields } from '../../kit/form/object-form.tsx';

/** What a webhook can be told of, with the name of the text, which may not contain dots. */
const events = [
  ['content.changed', 'content'],
  ['schema.changed', 'schema'],
  ['batch.applied', 'batch'],
] as const;

interface WebhookValues extends Pick<Webhook, 'url' | 'name' | 'enabled'> {
  readonly events: Webhook['events'];
}

/** Where a webhook sends what. */
export function WebhookFields({ values, faults, onChange }: ObjectFields<WebhookValues>) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('fields.url')}
        value={values.url}
        error={faults['url']}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      <TextInput
        label={t('fields.name')}
        value={values.name}
        error={faults['name']}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Checkbox.Group
        label={t('webhooks.events')}
        value={values.events}
        onChange={(names) =>
          onChange({ events: events.map(([event]) => event).filter((event) => names.includes(event)) })
        }
      >
        <Group mt={4} gap={16}>
          {events.map(([event, name]) => (
            <Checkbox key={event} value={event} label={t(`webhooks.event.${name}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Switch
        label={t('webhooks.enabled')}
        description={t('webhooks.enabledHelp')}
        checked={values.enabled}
        onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
      />
    </>
  );
}
