/**
 * Scans and imports that run in the background (Data, "Import job"). They live in memory, and a node tells others of
 * its own; the last 20 stay.
 *
 * A job is `running` until its work ends: `done` with a result, `failed` with an error, or `cancelled` by a call. Its
 * status changes once; work that goes on after a cancellation changes nothing of it.
 */
import { randomUUID } from 'node:crypto';
import { type Clock, unixSeconds } from '../../../base/clock.ts';
import { importMessages } from '../../../base/error-codes/imports.ts';
import { ApiError, apiError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { importLimits, type Job, type JobSummary, type LogEntry } from '../model.ts';
import type { SharedJobs } from './shared-jobs.ts';

export type MessageCode = keyof typeof importMessages;
export type PhaseCode = Extract<MessageCode, `import.phase${string}`>;
type MessageParams<Code extends MessageCode> =
  Parameters<(typeof importMessages)[Code]> extends [infer Params] ? Params : Record<never, never>;

/** Jobs that may run at the same time. */
const maxRunning = 4;

/** What the work of a job tells about itself. */
export interface Progress {
  /** ID of the job. */
  readonly id: string;
  /** Aborts when the job is cancelled. */
  readonly signal: AbortSignal;
  phase(code: PhaseCode, total?: number): void;
  /** Another page is done. */
  pageDone(): void;
  countFile(): void;
  countAsset(): void;
  note<Code extends MessageCode>(
    level: LogEntry['level'],
    code: Code,
    params: MessageParams<Code> & object,
    url?: string,
  ): void;
}

/** What a job is for. Of one target there is only one import at a time. */
export interface JobPlan {
  readonly kind: Job['kind'];
  /** Address of the website. */
  readonly url: string;
  /** Undefined for work that disturbs no other. */
  readonly target?: string;
  run(progress: Progress): Promise<NonNullable<Job['result']>>;
}

export interface JobsDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** The jobs of all nodes; undefined on one machine. */
  readonly shared?: SharedJobs | undefined;
}

export class Jobs {
  readonly #jobs: RunningJob[] = [];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #shared: SharedJobs | undefined;

  constructor({ clock, log, shared }: JobsDeps) {
    this.#clock = clock;
    this.#log = log;
    this.#shared = shared;
  }

  /** Begins a job. @throws ApiError 409 `import.running`, `import.tooMany` */
  async start(plan: JobPlan): Promise<Job> {
    const running = this.#jobs.filter(({ isRunning }) => isRunning);
    if (plan.target !== undefined && running.some(({ target }) => target === plan.target))
      throw apiError('import.running', {});
    if (running.length >= maxRunning) throw apiError('import.tooMany', { max: maxRunning });
    const job = new RunningJob(plan, this.#clock);
    this.#jobs.unshift(job);
    try {
      await this.#shared?.claim(job);
    } catch (error) {
      this.#jobs.splice(this.#jobs.indexOf(job), 1);
      throw error;
    }
    job.begin(plan, this.#log);
    void job.ended.then(() => this.#shared?.tell());
    const last = this.#jobs.findLastIndex(({ isRunning }) => !isRunning);
    if (this.#jobs.length > importLimits.jobs && last >= 0) this.#jobs.splice(last, 1);
    return job.show(0);
  }

  /** Newest first. */
  async list(): Promise<JobSummary[]> {
    const own = this.#jobs.map((job) => job.summary());
    if (this.#shared === undefined) return own;
    const others = (await this.#shared.others()).filter(({ id }) => this.#find(id) === undefined);
    return [...own, ...others]
      .sort((left, right) => right.started_at - left.started_at)
      .slice(0, importLimits.jobs);
  }

  /** @param logSince index of the first log entry to show @throws ApiError `common.notFound` */
  async show(id: string, logSince = 0): Promise<Job> {
    const own = this.#find(id)?.show(logSince) ?? (await this.#shared?.show(id, logSince));
    if (own === undefined) throw apiError('common.notFound', {});
    return own;
  }

  /** Ends a job that runs. @throws ApiError `common.notFound` */
  async cancel(id: string): Promise<void> {
    const own = this.#find(id);
    if (own !== undefined) own.cancel();
    else if (this.#shared === undefined) throw apiError('common.notFound', {});
    else await this.#shared.cancel(id);
  }

  /** Ends all jobs; resolves when nothing of them runs any more. */
  async close(): Promise<void> {
    for (const job of this.#jobs) job.cancel();
    await Promise.all(this.#jobs.map(({ ended }) => ended));
    await this.#shared?.close();
  }

  #find(id: string): RunningJob | undefined {
    return this.#jobs.find((candidate) => candidate.id === id);
  }
}

class RunningJob {
  readonly id = randomUUID();
  readonly target: string | undefined;
  /** Resolves when its work has ended, also after a cancellation. Never rejects. */
  ended: Promise<void> = Promise.resolve();
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #entries: LogEntry[] = [];
  #hasEnded = false;
  #state: JobSummary;
  #result: Job['result'];

  constructor(plan: Omit<JobPlan, 'run'>, clock: Clock) {
    this.target = plan.target;
    this.#clock = clock;
    this.#state = {
      id: this.id,
      kind: plan.kind,
      url: plan.url,
      status: 'running',
      phase: '',
      phase_code: '',
      done: 0,
      total: 0,
      files: 0,
      assets: 0,
      error: '',
      error_code: '',
      error_params: {},
      started_at: unixSeconds(clock),
      finished_at: 0,
    };
  }

  /** Begins its work. */
  begin(plan: JobPlan, log: Log): void {
    this.ended = this.#work(plan, log);
  }

  /** Whether its work goes on, also after a cancellation. */
  get isRunning(): boolean {
    return !this.#hasEnded;
  }

  summary(): JobSummary {
    return this.#state;
  }

  show(logSince: number): Job {
    const result = this.#result === undefined ? {} : { result: this.#result };
    return { ...this.#state, log: this.#entries.slice(logSince), ...result };
  }

  cancel(): void {
    if (this.#state.status !== 'running') return;
    this.#finish({ status: 'cancelled' });
    this.#controller.abort();
  }

  async #work({ run }: JobPlan, log: Log): Promise<void> {
    // The answer to the request comes first.
    await Promise.resolve();
    try {
      const result = await run(this.#progress());
      if (this.#state.status === 'running') {
        this.#result = result;
        this.#finish({ status: 'done' });
      }
    } catch (error) {
      if (this.#state.status === 'running') this.#fail(error, log);
    } finally {
      this.#hasEnded = true;
    }
  }

  #fail(error: unknown, log: Log): void {
    const known = error instanceof ApiError ? error : apiError('import.failed', {});
    if (known !== error) log.error({ err: error, job: this.id }, 'an import job failed');
    const { message, code, params } = known;
    this.#finish({ status: 'failed', error: message, error_code: code, error_params: { ...params } });
  }

  #finish(fields: Partial<JobSummary>): void {
    this.#change({ ...fields, phase: '', phase_code: '', finished_at: unixSeconds(this.#clock) });
  }

  #change(fields: Partial<JobSummary>): void {
    this.#state = { ...this.#state, ...fields };
  }

  #progress(): Progress {
    const update = (fields: Partial<JobSummary>): void => {
      if (this.#state.status === 'running') this.#change(fields);
    };
    return {
      id: this.id,
      signal: this.#controller.signal,
      phase: (code, total) =>
        update({
          phase: textOf(code, {}),
          phase_code: code,
          ...(total === undefined ? {} : { total, done: 0 }),
        }),
      pageDone: () => update({ done: this.#state.done + 1 }),
      countFile: () => update({ files: this.#state.files + 1 }),
      countAsset: () => update({ assets: this.#state.assets + 1 }),
      note: (level, code, params, url) => this.#note(level, code, params, url),
    };
  }

  #note(level: LogEntry['level'], code: MessageCode, params: object, url?: string): void {
    const { log: max } = importLimits;
    if (this.#entries.length >= max || this.#state.status !== 'running') return;
    const time = unixSeconds(this.#clock);
    if (this.#entries.length === max - 1) {
      const limited = { code: 'import.logLimited', params: { max } } as const;
      this.#entries.push({ time, level: 'warn', message: textOf(limited.code, limited.params), ...limited });
      return;
    }
    this.#entries.push({
      time,
      level,
      message: textOf(code, params),
      ...(url === undefined ? {} : { url }),
      code,
      params: { ...params },
    });
  }
}

/** Type boundary: `Progress.note` has checked that the params belong to the code. */
function textOf(code: MessageCode, params: object): string {
  return (importMessages[code] as (params: object) => string)(params);
}
