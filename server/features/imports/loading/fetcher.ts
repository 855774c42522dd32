/** Loads what an import needs from other hosts into files, through the guarded client. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { apiError } from '../../../base/errors.ts';
import { isDiskFull } from '../../../base/file-system.ts';
import type { StartTimer } from '../../../base/timers.ts';
import { discard, type OutgoingAnswer } from '../../../http/outgoing/answer.ts';
import type { Outgoing } from '../../../http/outgoing/client.ts';
import { OutgoingError } from '../../../http/outgoing/errors.ts';
import type { SourceState } from '../store.ts';
import { HostGate } from './host-gate.ts';
import type { Workspace } from './workspace.ts';

/** What came of a request. */
export type FetchOutcome =
  | (SourceState & {
      readonly kind: 'content';
      /** The address that answered. */
      readonly url: string;
      readonly file: string;
      readonly contentType: string;
    })
  /** The content is the one that is known already. */
  | { readonly kind: 'unchanged'; readonly url: string }
  | { readonly kind: 'failed'; readonly url: string; readonly status: number; readonly reason: string };

export type FetchedContent = Extract<FetchOutcome, { kind: 'content' }>;

export interface FetchOptions {
  readonly maxBytes: number;
  /** Asks for the content only if it has changed since. */
  readonly known?: Pick<SourceState, 'etag' | 'last_modified'> | undefined;
  /** For files, which may be large: more time. */
  readonly isFile?: boolean;
}

export interface FetcherDeps {
  readonly outgoing: Outgoing;
  readonly workspace: Workspace;
  readonly later: StartTimer;
  /** The address that the user has named. If its host is public, everything else must be public too. */
  readonly base: string;
  readonly signal: AbortSignal;
}

/** How often a host that is busy is asked again, and the longest wait that it may ask for, in milliseconds. */
const retries = 2;
const maxRetryMs = 30_000;
const defaultRetryMs = 1000;

const pageTimeouts = { headersMs: 30_000, idleMs: 20_000, totalMs: 60_000 };
const fileTimeouts = { headersMs: 30_000, idleMs: 20_000, totalMs: 5 * 60_000 };

export class Fetcher {
  readonly #deps: FetcherDeps;
  readonly #gate: HostGate;

  constructor(deps: FetcherDeps) {
    this.#deps = deps;
    this.#gate = new HostGate(deps.later);
  }

  /** Sets the shortest time between two requests to a host, in milliseconds. */
  setPause(host: string, pauseMs: number): void {
    this.#gate.setPause(host, pauseMs);
  }

  /**
   * Loads an address, redirects included. What fails is an outcome, not an error.
   *
   * @throws ApiError `common.storageFull`, OutgoingError if the job is cancelled
   */
  async fetch(url: string, options: FetchOptions): Promise<FetchOutcome> {
    const { host } = new URL(url);
    for (let attempt = 0; ; attempt++) {
      const { outcome, retryMs } = await this.#gate.run(host, () => this.#try(url, options));
      if (retryMs === undefined || attempt === retries) return outcome;
      await this.#wait(retryMs);
    }
  }

  async #try(
    url: string,
    options: FetchOptions,
  ): Promise<{ outcome: FetchOutcome; retryMs: number | undefined }> {
    const { signal } = this.#deps;
    try {
      const answer = await this.#send(url, options);
      const retryMs = retryTime(answer);
      return { outcome: await this.#take(answer, options), retryMs };
    } catch (error) {
      if (isDiskFull(error)) throw apiError('common.storageFull', {}, { cause: error });
      if (!(error instanceof OutgoingError) || signal.aborted) throw error;
      const outcome: FetchOutcome = { kind: 'failed', url, status: 0, reason: error.message };
      return { outcome, retryMs: error.code === 'broken' ? 0 : undefined };
    }
  }

  #send(url: string, { known, isFile }: FetchOptions): Promise<OutgoingAnswer> {
    const { outgoing, base, signal } = this.#deps;
    return outgoing.send({
      url,
      headers: { accept: '*/*', ...conditionsOf(known) },
      ...(url === base ? {} : { foundOn: base }),
      maxRedirects: 5,
      mayLeaveTls: true,
      timeouts: isFile === true ? fileTimeouts : pageTimeouts,
      signal,
    });
  }

  async #take(answer: OutgoingAnswer, { maxBytes, known }: FetchOptions): Promise<FetchOutcome> {
    const { status, url, headers } = answer;
    if (status === 304 && known !== undefined) {
      discard(answer.body);
      return { kind: 'unchanged', url };
    }
    if (status !== 200) {
      discard(answer.body);
      return { kind: 'failed', url, status, reason: `the host answered ${status}` };
    }
    const file = this.#deps.workspace.newPath();
    const hash = await this.#write(answer, file, maxBytes);
    if (hash === undefined) {
      await this.#deps.workspace.remove(file);
      return { kind: 'failed', url, status, reason: `it has more than ${maxBytes} bytes` };
    }
    return {
      kind: 'content',
      url,
      file,
      contentType: shortHeader(headers, 'content-type'),
      hash,
      etag: shortHeader(headers, 'etag'),
      last_modified: shortHeader(headers, 'last-modified'),
    };
  }

  /** Writes a body to a file and returns its hash; undefined if it is too large. */
  async #write({ body }: OutgoingAnswer, path: string, maxBytes: number): Promise<string | undefined> {
    const hash = createHash('sha256');
    let size = 0;
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const part of body) {
        const bytes: Buffer = part;
        size += bytes.length;
        if (size > maxBytes) return undefined;
        hash.update(bytes);
        await file.writeFile(bytes);
      }
    } finally {
      await file.close();
    }
    return hash.digest('hex');
  }

  #wait(ms: number): Promise<void> {
    const { later, signal } = this.#deps;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        cancel();
        reject(new OutgoingError('canceled', '', 'the job was cancelled'));
      };
      const cancel = later(ms, () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  }
}

function conditionsOf(known: FetchOptions['known']): Record<string, string> {
  if (known === undefined) return {};
  return {
    ...(known.etag === '' ? {} : { 'if-none-match': known.etag }),
    ...(known.last_modified === '' ? {} : { 'if-modified-since': known.last_modified }),
  };
}

/** A header that is kept in memory for each page; empty if there is none, or none of a usual length. */
function shortHeader(headers: ReadonlyMap<string, string>, name: string): string {
  const value = headers.get(name) ?? '';
  return value.length <= 500 ? value : '';
}

/** How long a host asks to wait; undefined if it does not. */
function retryTime({ status, headers }: OutgoingAnswer): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const seconds = Number(headers.get('retry-after') ?? defaultRetryMs / 1000);
  const ms = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : defaultRetryMs;
  return ms > maxRetryMs ? undefined : ms;
}
