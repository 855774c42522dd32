import { type StartTimer, TimeSlices } from '../../base/timers.ts';
import { type CommitText, commitTextsSince, parseRecords } from '../../changes/commit-log.ts';
import type { NewOutboxEvent } from '../../changes/outbox-store.ts';
import { insertOutboxEvent, readLogVersion, saveLogPosition } from '../../changes/outbox-store.ts';
import type { SharedServices } from '../../feature.ts';
import { ChangeBundle } from './bundles.ts';
import { firstHop, webhooksName } from './model.ts';

export interface BundlerDeps extends Pick<SharedServices, 'reader' | 'changes' | 'outbox' | 'log'> {
  readonly later: StartTimer;
  /** Whether a webhook asks for changes of content. */
  readonly isWanted: () => boolean;
}

/** Changes within this time are told together, in milliseconds (Data, Automation and Operations, "Limits"). */
const bundleMs = 2_000;
const readAtOnce = 50;
const nobody = { kind: 'none' } as const;

/**
 * Makes events `content.changed` of the log of commits. The event and the position that it reaches to are stored in one
 * transaction, so a repetition has the same changes and the same ID.
 */
export class Bundler {
  readonly #deps: BundlerDeps;
  /** Whether a timer will end the bundle. */
  #isOpen = false;
  #isClosed = false;
  #work: Promise<void> = Promise.resolve();

  constructor(deps: BundlerDeps) {
    this.#deps = deps;
    // What the last leader, or this server before it was stopped, has left.
    deps.outbox.onBeginning(() => this.#end());
  }

  /** To be called after each commit, if a webhook asks for it. */
  wake(): void {
    const { outbox, later } = this.#deps;
    if (this.#isClosed || this.#isOpen || !outbox.isSending()) return;
    this.#isOpen = true;
    later(bundleMs, () => this.#end());
  }

  /** Ends the bundle now. Resolves when its events are stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    await this.#work;
  }

  #end(): void {
    this.#isOpen = false;
    this.#work = this.#work.then(() => this.#storeEvents());
  }

  async #storeEvents(): Promise<void> {
    const { reader, changes, outbox, log, isWanted } = this.#deps;
    if (!outbox.isSending() || !isWanted()) return;
    try {
      const since = await readLogVersion(reader, webhooksName);
      const { version, events } = await this.#read(since);
      if (version === since) return;
      const isStored = await changes.changeUnversioned(nobody, async ({ tx, now }) => {
        // Another node that leads now may have been faster, and a first webhook skips what was before it.
        if ((await readLogVersion(tx, webhooksName)) !== since) return false;
        for (const event of events) await insertOutboxEvent(tx, now, event);
        await saveLogPosition(tx, webhooksName, { version, state: '' });
        return true;
      });
      if (!isStored) this.wake();
    } catch (error) {
      log.warn({ err: error }, 'changes could not be told to webhooks, they are told later');
      this.wake();
    }
  }

  /** What has changed since a version, as events. */
  async #read(since: number): Promise<{ version: number; events: NewOutboxEvent[] }> {
    const bundles = new Map<number, ChangeBundle>();
    const slices = new TimeSlices();
    let version = since;
    for (let commits = await this.#commitsAfter(version); commits.length > 0; ) {
      for (const commit of commits) {
        const bundle = bundles.get(commit.hop) ?? new ChangeBundle();
        bundles.set(commit.hop, bundle);
        if (!bundle.isFull) bundle.add(parseRecords(commit));
        version = commit.version;
        await slices.next();
      }
      commits = await this.#commitsAfter(version);
    }
    return { version, events: [...bundles].flatMap(([hop, bundle]) => bundle.toEvents(firstHop + hop)) };
  }

  #commitsAfter(version: number): Promise<CommitText[]> {
    return commitTextsSince(this.#deps.reader, version, readAtOnce);
  }
}
