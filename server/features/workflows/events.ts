import type { Log } from '../../base/log.ts';
import type { OutboxEvent } from '../../changes/outbox-store.ts';
import type { Outlet } from '../../changes/outlets.ts';
import type { ChangeRecord, Commit } from '../../changes/record.ts';
import type { ActiveWorkflows, WorkflowStart } from './active.ts';
import type { Engine } from './engine.ts';
import { Message } from './message/message.ts';
import type { EventAction } from './nodes/node-type.ts';
import { maxRunMs } from './run/runner.ts';

/** Most runs in a row of which each was started by a change of the one before. */
const maxLevels = 3;
/** Runs of events at the same time. */
const maxRunning = 8;

interface EntryEvent {
  readonly action: EventAction;
  readonly collection: string;
  readonly entry: object;
  readonly level: number;
  readonly hop: number;
}

/** Starts workflows after changes of entries (Data, Automation and Operations, "Collection events"). */
export class EntryEvents implements Outlet {
  readonly name = 'workflows';
  readonly of = ['item'] as const;
  readonly #active: ActiveWorkflows;
  readonly #engine: Engine;
  readonly #log: Log;
  #running = 0;
  #isClosed = false;
  /** Lets the next start go on. */
  #onFree: (() => void) | undefined;

  constructor(active: ActiveWorkflows, engine: Engine, log: Log) {
    this.#active = active;
    this.#engine = engine;
    this.#log = log;
  }

  /** The entry is stored with the event, because a later change may come before the run. */
  collect(commit: Commit): { readonly event: EventAction; readonly payload: EntryEvent }[] {
    if (!this.#active.hasEvents) return [];
    return eventsOf(commit)
      .filter(({ collection, action }) => this.#active.mayStartAfter(collection, action))
      .map((payload) => ({ event: payload.action, payload }));
  }

  /** Resolves when all runs of an event are started. A run that was begun is not begun again. */
  async send({ payload }: OutboxEvent, done: () => void): Promise<void> {
    await this.#active.ready();
    // Type boundary: only `collect` makes this JSON.
    const event = JSON.parse(payload) as EntryEvent;
    for (const start of this.#active.startsAfter(event.collection, event.action)) {
      while (this.#running >= maxRunning && !this.#isClosed) await this.#free();
      if (this.#isClosed) return;
      void this.#run(start, event);
    }
    done();
  }

  /** Starts nothing more; what waits is started after the next start of the server. */
  close(): void {
    this.#isClosed = true;
    this.#onFree?.();
  }

  #free(): Promise<void> {
    return new Promise((resolve) => {
      this.#onFree = resolve;
    });
  }

  async #run(start: WorkflowStart, event: EntryEvent): Promise<void> {
    const { entry, action, collection, level, hop } = event;
    const message = Message.of({ payload: entry, event: action, collection });
    this.#running += 1;
    try {
      const run = this.#engine.start({
        ...start,
        message,
        trigger: 'event',
        timeLimitMs: maxRunMs,
        level,
        hop,
      });
      await run.end;
    } catch (error) {
      this.#log.warn({ err: error, workflow: start.workflow.id }, 'a workflow could not be started');
    } finally {
      this.#running -= 1;
      this.#onFree?.();
    }
  }
}

function eventsOf({ actor, records }: Commit): EntryEvent[] {
  const { level: before, hop } = actor.kind === 'workflow' ? actor : { level: 0, hop: 0 };
  if (before >= maxLevels) return [];
  return records.flatMap((record) => {
    const { kind, entry, collection } = record;
    const action = actionOf(record);
    if (kind !== 'item' || entry === undefined || collection === undefined || action === undefined) return [];
    return [{ action, collection, entry, level: before + 1, hop }];
  });
}

function actionOf({ action }: ChangeRecord): EventAction | undefined {
  return action === 'created' || action === 'updated' || action === 'deleted' ? action : undefined;
}
