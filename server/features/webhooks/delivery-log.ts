import type { Log } from '../../base/log.ts';
import type { ActivityStore } from '../../db/activity.ts';
import type { LoggedDelivery } from './deliveries.ts';
import * as store from './delivery-store.ts';
import { type Delivery, webhookLimits } from './model.ts';

/** The deliveries of all nodes: each tells the others what becomes of its own. */
export class DeliveryLog {
  readonly #activity: ActivityStore;
  readonly #log: Log;

  constructor({ activity, log }: { readonly activity: ActivityStore; readonly log: Log }) {
    this.#activity = activity;
    this.#log = log;
  }

  /** Tells the state of a delivery, soon. */
  tell(webhookId: string, { madeAt, delivery }: LoggedDelivery): void {
    this.#write(async (db) => {
      await store.saveDelivery(db, webhookId, madeAt, delivery);
      await store.trimDeliveries(db, webhookId, webhookLimits.deliveries);
    });
  }

  forget(webhookId: string): void {
    this.#write((db) => store.deleteDeliveries(db, webhookId));
  }

  /** The deliveries of a webhook, newest first. @param own those of this node, which are known best here */
  async list(webhookId: string, own: readonly LoggedDelivery[]): Promise<Delivery[]> {
    const ownIds = new Set(own.map(({ delivery }) => delivery.id));
    const others = await store.listDeliveries(this.#activity.reader, webhookId);
    return [...own, ...others.filter(({ delivery }) => !ownIds.has(delivery.id))]
      .sort((left, right) => right.madeAt - left.madeAt)
      .slice(0, webhookLimits.deliveries)
      .map(({ delivery }) => delivery);
  }

  #write(work: Parameters<ActivityStore['write']>[0]): void {
    this.#activity
      .write(work)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'other nodes were not told of a delivery'));
  }
}
