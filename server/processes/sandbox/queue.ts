import type { Job } from './jobs.ts';

/** Jobs that wait, in order, and how long their texts are together. */
export class JobQueue {
  #jobs: Job[] = [];
  #textLength = 0;

  get length(): number {
    return this.#jobs.length;
  }

  /** In UTF-16 units. */
  get textLength(): number {
    return this.#textLength;
  }

  get first(): Job | undefined {
    return this.#jobs[0];
  }

  add(job: Job): void {
    this.#jobs.push(job);
    this.#textLength += textLengthOf(job);
  }

  addFirst(jobs: readonly Job[]): void {
    this.#jobs.unshift(...jobs);
    for (const job of jobs) this.#textLength += textLengthOf(job);
  }

  removeFirst(): void {
    const job = this.#jobs.shift();
    if (job !== undefined) this.#textLength -= textLengthOf(job);
  }

  /** Removes the jobs that fulfil a condition, and returns them. */
  take(isWanted: (job: Job) => boolean): Job[] {
    const taken = this.#jobs.filter(isWanted);
    if (taken.length === 0) return taken;
    this.#jobs = this.#jobs.filter((job) => !isWanted(job));
    for (const job of taken) this.#textLength -= textLengthOf(job);
    return taken;
  }
}

/** The code of a run is shared by all its runs. */
function textLengthOf(job: Job): number {
  return job.kind === 'check' ? job.text.length : job.task.message.length + (job.task.params?.length ?? 0);
}
