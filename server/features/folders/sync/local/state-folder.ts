/** What a folder remembers of servers: `.incipit/`, which is not committed. */
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../format/index.ts';
import type { HashCache } from '../../format/source-files.ts';
import { isFields } from '../../format/text-file.ts';
import type { IdentifiedObject, KnownObjects, Uid } from '../objects/identity.ts';
import type { Json } from '../server/api-client.ts';
import type { SnapshotCache } from '../server/snapshot.ts';

/** What a folder and a server have had in common last. */
export interface Base {
  readonly siteId: number | undefined;
  readonly objects: KnownObjects;
}

/** A push that was about to publish a change set. */
export interface NotedPush {
  readonly changeSet: number;
  /** The base if it was published. */
  readonly base: Base;
}

interface StoredBase {
  readonly format: 1;
  readonly siteId?: number | undefined;
  readonly objects: readonly IdentifiedObject[];
}

export class StateFolder {
  readonly #root: string;
  readonly #folder: string;

  constructor(folder: string, stateDir: string | undefined) {
    this.#folder = folder;
    this.#root = stateDir ?? join(folder, '.incipit');
  }

  /** The address that was used last. */
  async findRemote(): Promise<string | undefined> {
    const remote = await readJson(join(this.#root, 'remote.json'));
    return isFields(remote) && typeof remote['url'] === 'string' ? remote['url'] : undefined;
  }

  async saveRemote(url: string): Promise<void> {
    if ((await this.findRemote()) !== url) await writeJson(join(this.#root, 'remote.json'), { url });
  }

  /** Keeps the state out of git. */
  async ignore(): Promise<void> {
    if (this.#root !== join(this.#folder, '.incipit')) return;
    const path = join(this.#folder, '.gitignore');
    const text = await readFile(path, 'utf8').catch(() => '');
    if (/^\/?\.incipit\/?$/m.test(text)) return;
    await appendFile(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}.incipit/\n`);
  }

  async readHashes(): Promise<HashCache> {
    const stored = await readJson(join(this.#root, 'hashes.json'));
    const hashes: HashCache = new Map();
    for (const [path, entry] of Object.entries(isFields(stored) ? stored : {}))
      if (isFields(entry))
        hashes.set(path, {
          size: Number(entry['size']),
          modified: Number(entry['modified']),
          sha256: String(entry['sha256']),
        });
    return hashes;
  }

  async saveHashes(hashes: HashCache): Promise<void> {
    if (hashes.size > 0) await writeJson(join(this.#root, 'hashes.json'), Object.fromEntries(hashes));
  }

  /** What is remembered of one server. */
  ofServer(url: string): ServerState {
    return new ServerState(join(this.#root, new URL(url).host.replaceAll(/[^a-z0-9.-]/gi, '_')));
  }
}

export class ServerState {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async findBase(): Promise<Base | undefined> {
    return toBase(await readJson(join(this.path, 'base.json')));
  }

  async saveBase(base: Base): Promise<void> {
    await writeJson(join(this.path, 'base.json'), fromBase(base));
  }

  async findCommit(): Promise<string | undefined> {
    const stored = await readJson(join(this.path, 'commit.json'));
    return isFields(stored) && typeof stored['commit'] === 'string' ? stored['commit'] : undefined;
  }

  async saveCommit(commit: string): Promise<void> {
    await writeJson(join(this.path, 'commit.json'), { commit });
  }

  async readCache(): Promise<SnapshotCache> {
    const stored = await readJson(join(this.path, 'cache.json'));
    const part = (name: string) => {
      const value = isFields(stored) ? stored[name] : undefined;
      // Type boundary: only `saveCache` writes this file.
      return (isFields(value) ? value : {}) as Record<string, Json>;
    };
    return { pages: part('pages'), assets: part('assets'), files: part('files') };
  }

  async saveCache(cache: SnapshotCache): Promise<void> {
    await writeJson(join(this.path, 'cache.json'), cache);
  }

  async findPush(): Promise<NotedPush | undefined> {
    const stored = await readJson(join(this.path, 'push.json'));
    if (!isFields(stored)) return undefined;
    const base = toBase(stored['base']);
    return base === undefined ? undefined : { changeSet: Number(stored['changeSet']), base };
  }

  async savePush({ changeSet, base }: NotedPush): Promise<void> {
    await writeJson(join(this.path, 'push.json'), { changeSet, base: fromBase(base) });
  }

  async forgetPush(): Promise<void> {
    await rm(join(this.path, 'push.json'), { force: true });
  }
}

function fromBase({ siteId, objects }: Base): StoredBase {
  return { format: 1, siteId, objects: [...objects.values()] };
}

function toBase(stored: unknown): Base | undefined {
  if (!isFields(stored) || stored['format'] !== 1 || !Array.isArray(stored['objects'])) return undefined;
  // Type boundary: only `fromBase` makes this form.
  const { siteId, objects } = stored as unknown as StoredBase;
  return { siteId, objects: new Map<Uid, IdentifiedObject>(objects.map((object) => [object.uid, object])) };
}

/** Undefined for a file that is not there, or that was damaged. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    const isMissing =
      error instanceof SyntaxError || (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT');
    if (isMissing) return undefined;
    throw error;
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeWhole(path, JSON.stringify(value));
}
