import { activityQuery } from '../../db/prepared.ts';
import type { ActivityDb } from '../../db/tables.ts';
import type { LoggedDelivery } from './deliveries.ts';
import type { Delivery } from './model.ts';

declare module '../../db/tables.ts' {
  interface ActivityTables {
    webhook_deliveries: { webhook_id: string; id: string; made_at: number; delivery: string };
  }
}

/** Keeps the state of a delivery. @param madeAt Unix milliseconds */
export async function saveDelivery(
  db: ActivityDb,
  webhookId: string,
  madeAt: number,
  delivery: Delivery,
): Promise<void> {
  await upsert.run(db, { webhookId, id: delivery.id, madeAt, delivery: JSON.stringify(delivery) });
}

/** Keeps only the newest deliveries of a webhook. */
export async function trimDeliveries(db: ActivityDb, webhookId: string, count: number): Promise<void> {
  await deleteBeyond.run(db, { webhookId, count });
}

export async function deleteDeliveries(db: ActivityDb, webhookId: string): Promise<void> {
  await removeAll.run(db, { webhookId });
}

export async function listDeliveries(db: ActivityDb, webhookId: string): Promise<LoggedDelivery[]> {
  const rows = await selectAll.all(db, { webhookId });
  // Type boundary: only this store writes the deliveries.
  return rows.map(({ made_at, delivery }) => ({
    madeAt: made_at,
    delivery: JSON.parse(delivery) as Delivery,
  }));
}

const upsert = activityQuery((db, p: { webhookId: string; id: string; madeAt: number; delivery: string }) =>
  db
    .insertInto('webhook_deliveries')
    .values({ webhook_id: p.webhookId, id: p.id, made_at: p.madeAt, delivery: p.delivery })
    .onConflict((conflict) => conflict.columns(['webhook_id', 'id']).doUpdateSet({ delivery: p.delivery })),
);

const deleteBeyond = activityQuery((db, p: { webhookId: string; count: number }) =>
  db
    .deleteFrom('webhook_deliveries')
    .where('webhook_id', '=', p.webhookId)
    .where('id', 'not in', (kept) =>
      kept
        .selectFrom('webhook_deliveries as newest')
        .select('newest.id')
        .where('newest.webhook_id', '=', p.webhookId)
        .orderBy('newest.made_at', 'desc')
        .limit(p.count),
    ),
);

const removeAll = activityQuery((db, p: { webhookId: string }) =>
  db.deleteFrom('webhook_deliveries').where('webhook_id', '=', p.webhookId),
);

const selectAll = activityQuery((db, p: { webhookId: string }) =>
  db
    .selectFrom('webhook_deliveries')
    .select(['made_at', 'delivery'])
    .where('webhook_id', '=', p.webhookId)
    .orderBy('made_at', 'desc'),
);
