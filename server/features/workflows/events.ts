import type { Log } from '../../base/log.ts';
import type { ChangeRecord, Commit } from '../../changes/record.ts';
import type { ActiveWorkflows, WorkflowStart } from './active.ts';
import type { Engine } from './engine.ts';
import { Message } from './message/message.ts';
import type { EventAction } from './nodes/node-type.ts';
import { maxRunMs } from './run/runner.ts';

/** Most runs in a row of which each was started by a change of the one before. */
const maxLevels = 3;
/** Runs of events at the same time, and starts that wait. */
const maxRunning = 8;
const maxWaiting = 10_000;

interface EntryEvent {
  readonly action: EventAction;
  readonly collection: string;
  readonly entry: object;
  readonly level: number;
  readonly hop: number;
}

interface WaitingStart {
  readonly start: WorkflowStart;
  readonly event: EntryEvent;
}

/** Starts workflows after changes of entries (Data, Automation and Operations, "Collection events"). */
export class EntryEvents {
  readonly #active: ActiveWorkflows;
  readonly #engine: Engine;
  readonly #log: Log;
  readonly #waiting: WaitingStart[] = [];
  #running = 0;

  constructor(active: ActiveWorkflows, engine: Engine, log: Log) {
    this.#active = active;
    this.#engine = engine;
    this.#log = log;
  }

  /** Starts what waits for the changes of these commits. */
  start(commits: readonly Commit[]): void {
    if (!this.#active.hasEvents) return;
    const events = commits.flatMap(eventsOf);
    if (events.length > 0) void this.#dispatch(events);
  }

  async #dispatch(events: readonly EntryEvent[]): Promise<void> {
    await this.#active.ready();
    for (const event of events) {
      for (const start of this.#active.startsAfter(event.collection, event.action)) {
        if (this.#waiting.length < maxWaiting) this.#waiting.push({ start, event });
        else this.#log.warn({ workflow: start.workflow.id }, 'too many events wait, one is left out');
      }
    }
    this.#next();
  }

  #next(): void {
    while (this.#running < maxRunning) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#running += 1;
      void this.#run(next).finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }

  async #run({ start, event }: WaitingStart): Promise<void> {
    const { entry, action, collection, level, hop } = event;
    const message = Message.of({ payload: entry, event: action, collection });
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
