/**
 * The allocation lists of the registries: asked for by a schedule, or uploaded (Data, Automation and Operations,
 * "Statistics and country data"). What holds:
 *
 *  1. A new list replaces the previous one only after it is parsed and stored completely. If the download or the
 *     parsing fails, only `error` changes.
 *  2. One thing at a time: a sync or an upload.
 *  3. No file stays behind.
 */

import type { ReceiveUpload } from '../../../api/multipart/upload.ts';
import type { Actor } from '../../../base/actor.ts';
import { unixSeconds } from '../../../base/clock.ts';
import { apiError } from '../../../base/errors.ts';
import { isDiskFull } from '../../../base/file-system.ts';
import { defineSettings } from '../../../db/settings.ts';
import type { SharedServices } from '../../../feature.ts';
import { discard, type OutgoingAnswer } from '../../../http/outgoing/answer.ts';
import { OutgoingError } from '../../../http/outgoing/errors.ts';
import type { StagedFile, Staging } from '../../../storage/staging.ts';
import { type CounterThread, ThreadError } from '../counting/thread-client.ts';
import type { ListFile } from '../country-lists/import.ts';
import { type ListAddresses, listAddresses, type Registry, registries } from '../country-lists/registries.ts';
import { type ListState, listStates } from '../country-lists/store.ts';
import { type GeoState, GeoUpdate } from './model.ts';
import { isDue } from './schedule.ts';

export interface CountriesDeps
  extends Pick<SharedServices, 'reader' | 'changes' | 'outgoing' | 'clock' | 'log' | 'isLeader'> {
  /** The database of the thread that counts. */
  readonly activity: Pick<SharedServices['statistics'], 'reader'>;
  readonly staging: Pick<Staging, 'create'>;
  readonly thread: Pick<CounterThread, 'run'>;
  /** Where the lists are. Default: those of the registries. */
  readonly addresses?: ListAddresses;
}

/** Largest file of a list, in bytes, compressed or not. */
const maxFileBytes = 64 * 2 ** 20;
const requestTimeouts = { headersMs: 60_000, idleMs: 60_000, totalMs: 15 * 60_000 };
/** Shortest time from the start of the server to the first request, in milliseconds. */
const startMs = 5000;
/** How often the schedule is looked at, in milliseconds. */
const everyMs = 10 * 60_000;

const countrySettings = defineSettings({ name: 'countries', schema: GeoUpdate, defaults: { enabled: true } });

export class Countries {
  readonly #deps: CountriesDeps;
  readonly #timers: NodeJS.Timeout[] = [];
  #enabled: boolean;
  #hasData: boolean;
  #isBusy = false;
  #stop = new AbortController();
  #sync: Promise<void> | undefined;

  private constructor(deps: CountriesDeps, enabled: boolean, hasData: boolean) {
    this.#deps = deps;
    this.#enabled = enabled;
    this.#hasData = hasData;
  }

  static async open(deps: CountriesDeps): Promise<Countries> {
    const states = await listStates(deps.activity.reader);
    return new Countries(deps, (await countrySettings.read(deps.reader)).enabled, states.some(hasRanges));
  }

  /** To be called when there may be other lists than before. */
  async listsChanged(): Promise<void> {
    this.#hasData = (await listStates(this.#deps.activity.reader)).some(hasRanges);
  }

  /** Reads the setting again. */
  async reload(): Promise<void> {
    this.#enabled = (await countrySettings.read(this.#deps.reader)).enabled;
  }

  /** Whether countries are recorded and shown. */
  get areKnown(): boolean {
    return this.#enabled && this.#hasData;
  }

  /** Begins to follow the schedule. */
  start(): void {
    const check = (): void => {
      this.checkSchedule().catch((error: unknown) => this.#warn(error));
    };
    this.#timers.push(setTimeout(check, startMs).unref(), setInterval(check, everyMs).unref());
  }

  /** GET /geo */
  async state(): Promise<GeoState> {
    const states = await listStates(this.#deps.activity.reader);
    const sources = registries.map((rir) => sourceOf(rir, states));
    return {
      enabled: this.#enabled,
      running: this.#sync !== undefined,
      ranges: sources.reduce((sum, { ranges }) => sum + ranges, 0),
      updated_at: Math.max(...sources.map(({ updated_at }) => updated_at)),
      checked_at: Math.max(...sources.map(({ checked_at }) => checked_at)),
      sources,
    };
  }

  /** PUT /geo */
  async setEnabled(actor: Actor, enabled: boolean): Promise<GeoState> {
    await this.#deps.changes.changeUnversioned(actor, ({ tx }) => countrySettings.save(tx, { enabled }));
    if (!enabled) await this.#endSync();
    return this.state();
  }

  /** POST /geo/update: asks all registries, in the background. @throws ApiError `geo.running`, `geo.disabled` */
  async update(): Promise<GeoState> {
    if (!this.#enabled) throw apiError('geo.disabled', {});
    if (this.#isBusy) throw apiError('geo.running', {});
    this.#startSync(registries);
    return this.state();
  }

  /**
   * POST /geo/upload: stores all lists of a form, or none.
   *
   * @throws ApiError `geo.running`, `geo.fileInvalid`, `file.missing`, `file.tooLarge`, `common.contentType`
   */
  async upload(receive: ReceiveUpload | undefined): Promise<GeoState> {
    const { staging, clock, thread } = this.#deps;
    if (receive === undefined) throw apiError('common.contentType', { expected: 'multipart/form-data' });
    if (this.#isBusy) throw apiError('geo.running', {});
    this.#isBusy = true;
    const kept: StagedFile[] = [];
    try {
      const form = await receive({ maxFileBytes, maxFiles: registries.length }, () => staging.create());
      kept.push(...form.files.map((file) => file.kept));
      const files = form.files.filter(({ field }) => field === 'file').map((file) => fileOf(file.kept));
      if (files.length === 0) throw apiError('file.missing', {});
      await thread.run('importLists', { files, now: unixSeconds(clock) });
      this.#hasData = true;
    } catch (error) {
      if (isDiskFull(error)) throw apiError('common.storageFull', {}, { cause: error });
      if (isListError(error)) throw apiError('geo.fileInvalid', { reason: error.message });
      throw error;
    } finally {
      this.#isBusy = false;
      for (const file of kept) await file.discard();
    }
    return this.state();
  }

  /** Asks for the lists that are due, on one of all nodes; resolves when they are stored. */
  async checkSchedule(): Promise<void> {
    if (!this.#enabled || this.#isBusy || this.#deps.isLeader?.() === false) return;
    const states = await listStates(this.#deps.activity.reader);
    const now = this.#deps.clock();
    const hasData = states.some(hasRanges);
    const due = registries.filter((rir) =>
      isDue(
        states.find((state) => state.rir === rir),
        hasData,
        now,
      ),
    );
    if (due.length > 0 && !this.#isBusy) await this.#startSync(due);
  }

  /** Resolves when a sync that runs has ended. */
  async idle(): Promise<void> {
    await this.#sync;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#endSync();
  }

  async #endSync(): Promise<void> {
    this.#stop.abort();
    await this.#sync;
  }

  #startSync(due: readonly Registry[]): Promise<void> {
    this.#isBusy = true;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#sync = this.#askAll(due, signal)
      .catch((error: unknown) => this.#warn(error))
      .finally(() => {
        this.#isBusy = false;
        this.#sync = undefined;
      });
    return this.#sync;
  }

  async #askAll(due: readonly Registry[], signal: AbortSignal): Promise<void> {
    const { activity, thread, clock } = this.#deps;
    for (const rir of due) {
      const [state] = (await listStates(activity.reader)).filter((known) => known.rir === rir);
      const error = await this.#ask(rir, state, signal);
      if (signal.aborted) return;
      if (error !== undefined) await thread.run('saveCheck', { rir, checked_at: unixSeconds(clock), error });
    }
  }

  /** Asks for a list; resolves with the error, empty if it has not changed, undefined if a new one is stored. */
  async #ask(rir: Registry, state: ListState | undefined, signal: AbortSignal): Promise<string | undefined> {
    const { outgoing, addresses = listAddresses } = this.#deps;
    try {
      const answer = await outgoing.send({
        url: addresses[rir],
        headers: conditionsOf(state),
        maxRedirects: 3,
        timeouts: requestTimeouts,
        signal,
      });
      if (answer.status === 200) return await this.#store(rir, answer);
      discard(answer.body);
      return answer.status === 304 ? '' : `the server answered ${answer.status}`;
    } catch (error) {
      if (isListError(error) || error instanceof OutgoingError) return error.message;
      if (isDiskFull(error)) return 'the disk is full';
      throw error;
    }
  }

  async #store(registry: Registry, answer: OutgoingAnswer): Promise<string | undefined> {
    const { staging, thread, clock } = this.#deps;
    const writer = await staging.create();
    let bytes = 0;
    try {
      for await (const part of answer.body) {
        bytes += part.length;
        if (bytes > maxFileBytes) break;
        await writer.write(part);
      }
    } catch (error) {
      await writer.discard();
      throw error;
    }
    const file = await writer.finish();
    try {
      if (bytes > maxFileBytes) return `the list has more than ${maxFileBytes} bytes`;
      const etag = answer.headers.get('etag') ?? '';
      const lastModified = answer.headers.get('last-modified') ?? '';
      const files = [{ ...fileOf(file), registry, etag, lastModified }];
      await thread.run('importLists', { files, now: unixSeconds(clock) });
      this.#hasData = true;
      return undefined;
    } finally {
      await file.discard();
    }
  }

  #warn(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'country data could not be brought up to date');
  }
}

function hasRanges({ ranges }: ListState): boolean {
  return ranges > 0;
}

function sourceOf(rir: Registry, states: readonly ListState[]): GeoState['sources'][number] {
  const state = states.find((known) => known.rir === rir);
  const { ranges = 0, updated_at = 0, checked_at = 0, error = '' } = state ?? {};
  return { rir, ranges, updated_at, checked_at, error };
}

/** An uploaded list has no tag, so the next sync takes that of the registry. */
function conditionsOf(state: ListState | undefined): Record<string, string> {
  if (state === undefined || !hasRanges(state)) return {};
  return {
    ...(state.etag === '' ? {} : { 'If-None-Match': state.etag }),
    ...(state.last_modified === '' ? {} : { 'If-Modified-Since': state.last_modified }),
  };
}

function fileOf({ path }: StagedFile): ListFile {
  return { path, etag: '', lastModified: '' };
}

function isListError(error: unknown): error is ThreadError {
  return error instanceof ThreadError && error.code === 'LIST_INVALID';
}
