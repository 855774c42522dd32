import type { PoolWorker } from './pool-worker.ts';

/** What a job that is ahead tells of itself. */
export interface AheadJob {
  /** Whose answer counts. */
  readonly worker: PoolWorker | undefined;
  /** When it was sent to the worker, on the monotonic clock. */
  readonly sentAt: number;
}

/**
 * Jobs behind the running one of their worker, in order of arrival. A worker that takes one over does it a second time,
 * because the other one cannot give it back; so each is taken over once at most.
 */
export class JobsAhead<Job extends AheadJob> {
  readonly #jobs = new Set<Job>();
  readonly #takenOver = new WeakSet<Job>();
  /** How long jobs took of late, from being sent to their answer, in milliseconds. */
  #usualMs = 0;

  get isEmpty(): boolean {
    return this.#jobs.size === 0;
  }

  /** Whether jobs are short enough of late to be sent ahead. */
  get areShort(): boolean {
    return this.#usualMs <= maxUsualMs;
  }

  add(job: Job): void {
    this.#jobs.add(job);
  }

  remove(job: Job): void {
    this.#jobs.delete(job);
  }

  /** The job behind the one that a worker has just done is running now. */
  runNextOf(worker: PoolWorker): void {
    for (const job of this.#jobs) if (job.worker === worker) this.#jobs.delete(job);
  }

  noteDone({ sentAt }: Job): void {
    this.#usualMs += (performance.now() - sentAt - this.#usualMs) / 8;
  }

  /** Takes the first job over that is ahead for longer than a short one takes. */
  takeStuck(): Job | undefined {
    const now = performance.now();
    return this.#take(({ sentAt }) => now - sentAt >= stuckMs);
  }

  /** Takes the first job over, for a worker that has nothing else to do. */
  takeFirst(): Job | undefined {
    return this.#take(() => true);
  }

  #take(isWanted: (job: Job) => boolean): Job | undefined {
    for (const job of this.#jobs) {
      if (this.#takenOver.has(job) || !isWanted(job)) continue;
      this.#jobs.delete(job);
      this.#takenOver.add(job);
      return job;
    }
    return undefined;
  }
}

/**
 * No job is sent ahead while jobs take longer than this, in milliseconds: the pause between two is short beside them, and
 * what is taken over would be done twice.
 */
const maxUsualMs = 20;

/** A job that is ahead for so long is given to another worker, in milliseconds. Nearly all renders take less. */
const stuckMs = 50;
