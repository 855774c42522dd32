/**
 * Push and pull. Rows always travel as a whole, which is little; of media only what the other side lacks. What is
 * changed on either side meanwhile is noticed: bytes that do not fit their rows are refused by the import, and the
 * whole begins again.
 */
import { createWriteStream } from 'node:fs';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Actor, formatAuthor } from '../../base/actor.ts';
import { unixSeconds } from '../../base/clock.ts';
import { ApiError, apiError } from '../../base/errors.ts';
import type { SharedServices } from '../../feature.ts';
import { OutgoingError } from '../../http/outgoing/errors.ts';
import type { StagedFile, Staging } from '../../storage/staging.ts';
import type { Bundles, WantedFile } from '../bundle/service.ts';
import type { SyncResult, SyncState } from './model.ts';
import { failed, RemoteInstance } from './remote.ts';
import { decryptToken, requireConnection } from './service.ts';
import * as store from './store.ts';

export interface SyncDeps
  extends Pick<SharedServices, 'reader' | 'changes' | 'outgoing' | 'secrets' | 'clock'> {
  readonly bundles: Bundles;
  readonly staging: Staging;
}

const idle: SyncState = { running: false, phase: '', done: 0, total: 0, error: '' };
/** How often a transfer begins again because content was changed meanwhile. */
const attempts = 3;

export class Sync {
  readonly #deps: SyncDeps;
  readonly #ended = new AbortController();
  #state: SyncState = idle;
  #running: Promise<unknown> = Promise.resolve();

  constructor(deps: SyncDeps) {
    this.#deps = deps;
  }

  get state(): SyncState {
    return this.#state;
  }

  /** The other instance of a connection. @throws ApiError `storage.secretUndecryptable` */
  remote(connection: store.StoredConnection): RemoteInstance {
    const { outgoing, secrets } = this.#deps;
    return new RemoteInstance(
      outgoing,
      connection.url,
      decryptToken(connection, secrets),
      this.#ended.signal,
    );
  }

  /** @throws ApiError 409 `connection.busy`, 502 `connection.failed` */
  push(actor: Actor, id: number): Promise<SyncResult> {
    return this.#run(actor, id, 'push', (remote) => this.#push(actor, remote));
  }

  /** @throws ApiError 409 `connection.busy`, 502 `connection.failed` */
  pull(actor: Actor, id: number): Promise<SyncResult> {
    return this.#run(actor, id, 'pull', (remote) => this.#pull(actor, remote));
  }

  /** Content of the other side without media, in a temporary file. */
  async download<T>(remote: RemoteInstance, use: (path: string) => Promise<T>): Promise<T> {
    const file = await this.#store(await remote.bundle());
    try {
      return await use(file.path);
    } finally {
      await file.discard();
    }
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }

  async #run(
    actor: Actor,
    id: number,
    direction: 'push' | 'pull',
    transfer: (remote: RemoteInstance) => Promise<Transferred>,
  ): Promise<SyncResult> {
    const { reader, changes, clock } = this.#deps;
    const connection = await requireConnection(reader, id);
    if (this.#state.running) throw apiError('connection.busy', {});
    this.#state = { ...idle, running: true, phase: 'check' };
    const work = this.#again(() => transfer(this.remote(connection)));
    this.#running = work.catch(() => {});
    try {
      const { hash, backup } = await work;
      const syncedAt = unixSeconds(clock);
      await changes.changeUnversioned(actor, async ({ tx }) => {
        const stored = await store.connections.find(tx, id);
        const synced = { last_sync_at: syncedAt, last_sync: direction, sync_hash: hash };
        if (stored?.url === connection.url) await store.connections.update(tx, { ...stored, ...synced });
      });
      this.#state = { ...this.#state, running: false, phase: 'done' };
      return { hash, synced_at: syncedAt, backup };
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#state = { ...this.#state, running: false, phase: 'failed', error: text };
      throw error instanceof ApiError && error.code === 'bundle.invalid' ? failed(text) : error;
    }
  }

  /** Content that was changed on one side during the transfer makes an archive that is refused. */
  async #again(transfer: () => Promise<Transferred>): Promise<Transferred> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await transfer();
      } catch (error) {
        const mayFit = error instanceof ApiError && /\bmedia\//.test(error.message);
        if (!mayFit || attempt === attempts) throw error;
      }
    }
  }

  async #push(actor: Actor, remote: RemoteInstance): Promise<Transferred> {
    const { bundles } = this.#deps;
    const [theirs, ours] = [await remote.info(), await bundles.state()];
    if (theirs.schema < ours.schema)
      throw failed(`its schema ${theirs.schema} is older than ${ours.schema} here`);
    this.#enter('compare');
    const known = await this.#filesOf(remote);
    const { stream, hash, mediaBytes } = await bundles.export((sha256) => !known.has(sha256));
    this.#enter('transfer', mediaBytes);
    const backup = await remote.import(this.#counted(stream), formatAuthor(actor));
    return { hash, backup };
  }

  async #pull(actor: Actor, remote: RemoteInstance): Promise<Transferred> {
    const { bundles } = this.#deps;
    const [theirs, ours] = [await remote.info(), await bundles.state()];
    if (theirs.schema > ours.schema)
      throw failed(`its schema ${theirs.schema} is newer than ${ours.schema} here`);
    this.#enter('compare');
    return this.download(remote, async (path) => {
      const known = new Set((await bundles.files()).map(({ sha256 }) => sha256));
      const { manifest, files } = await bundles.filesIn(path);
      const missing = files.filter(({ sha256 }) => !known.has(sha256));
      const media = await this.#fetch(remote, missing);
      try {
        this.#enter('import');
        const { backup } = await bundles.import(actor, path, media);
        return { hash: manifest.hash, backup: backup ?? '' };
      } finally {
        for (const file of media.values()) await file.discard();
      }
    });
  }

  /** Hashes of all files of the other side. */
  #filesOf(remote: RemoteInstance): Promise<ReadonlySet<string>> {
    return this.download(remote, async (path) => {
      const { files } = await this.#deps.bundles.filesIn(path);
      return new Set(files.map(({ sha256 }) => sha256));
    });
  }

  async #fetch(remote: RemoteInstance, files: readonly WantedFile[]): Promise<Map<string, StagedFile>> {
    const fetched = new Map<string, StagedFile>();
    this.#enter(
      'transfer',
      files.reduce((sum, { size }) => sum + size, 0),
    );
    try {
      for (const { path } of files)
        fetched.set(path, await this.#store(this.#counted(await remote.medium(path))));
      return fetched;
    } catch (error) {
      for (const file of fetched.values()) await file.discard();
      throw error;
    }
  }

  async #store(body: Readable): Promise<StagedFile> {
    const { staging } = this.#deps;
    const path = staging.reserve();
    try {
      await pipeline(body, createWriteStream(path, { mode: 0o600 }));
      return await staging.adopt(path);
    } catch (error) {
      await staging.release(path);
      throw error instanceof OutgoingError ? failed(error.message) : error;
    }
  }

  /** A stream whose bytes count as transferred. */
  #counted(source: Readable): Readable {
    const counter = new Transform({
      transform: (part: Buffer, _encoding, done) => {
        const transferred = this.#state.done + part.length;
        this.#state = { ...this.#state, done: transferred, total: Math.max(this.#state.total, transferred) };
        done(null, part);
      },
    });
    // The reader of the counter hears of a failure.
    pipeline(source, counter).catch(() => {});
    return counter;
  }

  #enter(phase: SyncState['phase'], total = this.#state.total): void {
    this.#state = { ...this.#state, phase, total };
  }
}

interface Transferred {
  readonly hash: string;
  readonly backup: string;
}
