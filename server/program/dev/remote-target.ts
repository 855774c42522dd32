/** The content of a server with the changes of a folder, in a change set that only this developer sees. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isFields } from '../../features/folders/format/text-file.ts';
import type { SyncOutcome } from '../../features/folders/sync/model.ts';
import { ApiClient } from '../../features/folders/sync/server/api-client.ts';
import { stageFolder } from '../../features/folders/sync/stage.ts';
import { ProgramError } from '../program-error.ts';
import { Remote } from '../remote.ts';
import type { DevTarget } from './dev-target.ts';

export interface RemoteTargetOptions {
  readonly folder: string;
  readonly url: string;
  readonly token: string | undefined;
  readonly site: string | undefined;
}

/** What belongs to pushes and pulls that may be running. */
const ofOthers: ReadonlySet<string> = new Set(['push.json', 'pending', 'media']);

export class RemoteTarget implements DevTarget {
  readonly url: string;
  readonly token: string;
  readonly stateDir: string;
  readonly hasOwnMedia = true;
  readonly #options: RemoteTargetOptions;
  readonly #client: ApiClient;
  /** Sets of the same name are of a run that was killed. */
  readonly #name: string;
  readonly #uploaded = new Set<number>();
  /** IDs of all change sets of this run. */
  readonly #sets = new Set<number>();
  #changeSet: number | null = null;
  #preview: URL | undefined;

  private constructor(options: RemoteTargetOptions, token: string, stateDir: string) {
    this.#options = options;
    this.url = new URL(options.url).origin;
    this.token = token;
    this.stateDir = stateDir;
    this.#client = new ApiClient(this.url, token);
    this.#name = `incipit dev ${hostname()}:${options.folder}`.slice(0, 200);
  }

  /** What the folder remembers is copied, so that nothing in it changes. @throws ProgramError, ServerError */
  static async open(options: RemoteTargetOptions): Promise<RemoteTarget> {
    const { token, folder } = options;
    if (token === undefined)
      throw new ProgramError(2, 'The token is missing. Set INCIPIT_TOKEN or add --token.');
    await Remote.open({ url: options.url, token });
    const stateDir = await mkdtemp(join(tmpdir(), 'incipit-dev-'));
    await cp(join(folder, '.incipit'), stateDir, {
      recursive: true,
      filter: (source) => !ofOthers.has(basename(source)),
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    return new RemoteTarget(options, token, stateDir);
  }

  get host(): string | undefined {
    return this.#preview?.host;
  }

  async send(folder: string): Promise<SyncOutcome> {
    const outcome = await stageFolder({
      ...{ folder, remote: this.url, token: this.token, site: this.#options.site, stateDir: this.stateDir },
      name: this.#name,
      onUploaded: (id) => this.#uploaded.add(id),
    });
    if (outcome.exitCode !== 0) return outcome;
    this.#changeSet = outcome.changeSet;
    if (outcome.changeSet !== null) this.#sets.add(outcome.changeSet);
    this.#preview = outcome.previewUrl === undefined ? undefined : new URL(outcome.previewUrl);
    // What stays now goes with the next save, or after a day.
    await this.#discardOthers().catch(() => undefined);
    return outcome;
  }

  /** Discards those of before, also of a run that was killed. Others see none of them. */
  async #discardOthers(): Promise<void> {
    for (const { id, name } of await this.#client.list('/change-sets?purpose=dev&state=open'))
      if (name === this.#name && id !== this.#changeSet)
        await this.#client.send('DELETE', `/change-sets/${String(id)}`);
  }

  findTextPath({ name }: { readonly name: string }, id: number): string | undefined {
    return this.#changeSet === null ? undefined : `/change-sets/${this.#changeSet}/items/${name}/${id}`;
  }

  preparePage(_url: URL, headers: OutgoingHttpHeaders): void {
    const token = this.#preview?.searchParams.get('ic_preview');
    if (token !== undefined && token !== null) headers['cookie'] = `ic_preview=${token}`;
  }

  /** Somebody else may use a file by now. Discarded change sets count as users for a time. */
  async #deleteFile(id: number): Promise<void> {
    const { usage } = await this.#client.get(`/files/${id}`);
    const isUsed = (Array.isArray(usage) ? usage : []).some(
      (one: unknown) => isFields(one) && !(one['kind'] === 'change_set' && this.#sets.has(Number(one['id']))),
    );
    if (!isUsed) await this.#client.send('DELETE', `/files/${id}?purge=1`);
  }

  async stop(): Promise<void> {
    await rm(this.stateDir, { recursive: true, force: true });
    this.#changeSet = null;
    try {
      await this.#discardOthers();
      for (const id of this.#uploaded) await this.#deleteFile(id);
    } catch (error) {
      process.stderr.write(`incipit: the change set could not be discarded, it ends after a day: ${error}\n`);
    }
  }
}
