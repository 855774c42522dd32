import type { NewOutboxEvent } from '../../changes/outbox-store.ts';
import { type ChangeNotice, type ChangeRecord, toChangeNotice } from '../../changes/record.ts';
import { toWebhookEvent } from './events.ts';
import { webhookLimits } from './model.ts';

/** Kinds whose changes are told as `content.changed` (Core, "Events"). */
const contentKinds: ReadonlySet<string> = new Set([
  'page',
  'item',
  'global_block',
  'file',
  'snippet',
  'asset',
  // Changes of many objects without a list of them.
  'items',
  'import',
  'bundle',
]);

/** Changes that wait for their common delivery. Equal ones are told once. */
export class ChangeBundle {
  readonly #changes = new Map<string, ChangeNotice>();

  /** Adds those of the records that are told. */
  add(records: readonly ChangeRecord[]): void {
    for (const record of records) {
      if (!contentKinds.has(record.kind) || record.action === 'failed') continue;
      const { kind, action, id } = record;
      const key = `${kind} ${action} ${id}`;
      if (this.#changes.has(key) || !this.isFull) this.#changes.set(key, toChangeNotice(record));
    }
  }

  /** Whether it takes no further change. */
  get isFull(): boolean {
    return this.#changes.size >= webhookLimits.changes;
  }

  /** The event, if there is something to tell. */
  toEvents(hop: number): NewOutboxEvent[] {
    const changes = [...this.#changes.values()];
    if (changes.length === 0) return [];
    const fields = { changes, ...(this.isFull ? { truncated: true } : {}) };
    return [toWebhookEvent('content.changed', fields, changes.length, hop)];
  }
}
