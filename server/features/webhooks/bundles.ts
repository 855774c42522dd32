import { type ChangeNotice, type ChangeRecord, toChangeNotice } from '../../changes/record.ts';
import type { OutgoingEvent } from './deliveries.ts';
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
      if (!contentKinds.has(record.kind)) continue;
      const { kind, action, id } = record;
      const key = `${kind} ${action} ${id}`;
      if (this.#changes.has(key) || this.#changes.size < webhookLimits.changes)
        this.#changes.set(key, toChangeNotice(record));
    }
  }

  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  /** The event. @param at Unix seconds */
  event(at: number, hop: number): OutgoingEvent {
    const changes = [...this.#changes.values()];
    const truncated = changes.length >= webhookLimits.changes ? { truncated: true } : {};
    const body = { event: 'content.changed', at, changes, ...truncated };
    return { event: body.event, at, body: JSON.stringify(body), changes: changes.length, hop };
  }
}
