import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t, timeText } from '../../base/i18n/index.ts';
import { useSubmit } from '../../kit/form/submit.ts';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { type Delivery, deliveriesQuery, testWebhook } from './queries.ts';
import classes from './webhooks.module.css';

/** Sends a ping and shows the answer. */
export function WebhookTest({ id }: { readonly id: string }) {
  const [result, setResult] = useState<Delivery>();
  const sending = useSubmit(async () => setResult(await testWebhook(id)));
  return (
    <section className="bar">
      <Button variant="default" loading={sending.isSending} onClick={() => void sending.send()}>
        {t('webhooks.test')}
      </Button>
      <span role="status">{result === undefined ? sending.message : <Outcome delivery={result} />}</span>
    </section>
  );
}

function Outcome({ delivery }: { readonly delivery: Delivery }) {
  const { state, status, duration_ms: ms, error } = delivery;
  return (
    <span className={classes['outcome']} data-state={state}>
      {t(`webhooks.states.${state}`)}
      {status > 0 && ` ${status}`} <span className="meta">{t('webhooks.took', { ms })}</span>
      {error !== '' && <span className="meta"> {error}</span>}
    </span>
  );
}

/** What was delivered, the newest first. */
export function Deliveries({ id }: { readonly id: string }) {
  // Deliveries are no changes, so nothing tells of them.
  const { data: deliveries } = useQuery({ ...deliveriesQuery(id), refetchInterval: 5000 });
  return (
    <section className="stack-8">
      <h2>{t('webhooks.deliveries')}</h2>
      {deliveries?.length === 0 && <EmptyState>{t('webhooks.noDelivery')}</EmptyState>}
      {deliveries !== undefined && deliveries.length > 0 && (
        <ul className="plain-list box">
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
