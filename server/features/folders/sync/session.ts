/** What `pull`, `push` and `diff` begin with: the folder, the server, and what both have had in common. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FolderFinding, folderFormat, type ReadFolder } from '../format/content.ts';
import { readFolder } from '../format/index.ts';
import type { HashCache } from '../format/source-files.ts';
import { CommandEnd } from './command-end.ts';
import { finishChanges } from './local/folder-writer.ts';
import { checkOut, findCleanCommit } from './local/git.ts';
import { type Base, type ServerState, StateFolder } from './local/state-folder.ts';
import type { SyncOptions, SyncOutcome } from './model.ts';
import type { KnownObjects, Uid } from './objects/identity.ts';
import { type Mine, readMine } from './objects/mine.ts';
import { ApiClient, type Json, ServerError } from './server/api-client.ts';
import { type Live, readLive } from './server/live.ts';
import { SiteUnknown } from './server/site-unknown.ts';
import { fetchSnapshot, type Snapshot, type SnapshotCache } from './server/snapshot.ts';

export interface SyncSession {
  readonly folder: string;
  readonly url: string;
  readonly client: ApiClient;
  readonly stateFolder: StateFolder;
  readonly state: ServerState;
  readonly hashes: HashCache;
  readonly cache: SnapshotCache;
  readonly options: SyncOptions;
}

/** The three sides that are merged. */
export interface Compared {
  readonly read: ReadFolder;
  readonly snapshot: Snapshot;
  readonly live: Live;
  readonly mine: Mine;
  /** Undefined if neither `.incipit/` nor git has one. */
  readonly base: Base | undefined;
  readonly sides: { readonly base: KnownObjects; readonly mine: KnownObjects; readonly live: KnownObjects };
  /** Objects that are left as they are on both sides. */
  readonly held: ReadonlySet<Uid>;
}

/** Where the files of a folder that are not committed lie while they are prepared. */
export function findPendingPath({ state }: Pick<SyncSession, 'state'>): string {
  return join(state.path, 'pending');
}

/** @throws CommandEnd, ServerError */
export async function openSession(options: SyncOptions): Promise<SyncSession> {
  const { folder, token } = options;
  const stateFolder = new StateFolder(folder, options.stateDir);
  const url = options.remote ?? (await stateFolder.findRemote());
  if (url === undefined) throw new CommandEnd(2, 'The address of the server is missing. Add --remote <url>.');
  if (token === undefined || token === '')
    throw new CommandEnd(2, 'The token is missing. Set INCIPIT_TOKEN or add --token.');
  const client = new ApiClient(url, token);
  const { folder_formats: formats, version } = await client.get('/bundle/info');
  if (!Array.isArray(formats) || !formats.includes(folderFormat))
    throw new CommandEnd(
      4,
      `The server (version ${String(version)}) does not know folders of format ${folderFormat}. Update it, or use the program of its version.`,
    );
  const state = stateFolder.ofServer(url);
  await finishChanges(folder, findPendingPath({ state }));
  await settlePush(client, state);
  const [hashes, cache] = [await stateFolder.readHashes(), await state.readCache()];
  return { folder, url, client, stateFolder, state, hashes, cache, options };
}

/** Finds out what became of a push that was interrupted: published, or discarded now. */
async function settlePush(client: ApiClient, state: ServerState): Promise<void> {
  const push = await state.findPush();
  if (push === undefined) return;
  const set = await client.get(`/change-sets/${push.changeSet}`).catch(ignoreMissing);
  if (set?.['state'] === 'published') await state.saveBase(push.base);
  else if (set !== undefined && set['state'] !== 'discarded')
    await client.send('DELETE', `/change-sets/${push.changeSet}`);
  await state.forgetPush();
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof ServerError && error.status === 404) return undefined;
  throw error;
}

/** Reads both sides. @param isNeeded whether the hash of a file of the server must be known. @throws CommandEnd, ServerError */
export async function compareSides(
  session: SyncSession,
  isNeeded: (file: Json, read: ReadFolder, base: Base | undefined) => boolean,
): Promise<Compared> {
  const { folder, client, hashes, cache, state, stateFolder, options } = session;
  options.onProgress?.({ step: 'read', done: 0, total: 1 });
  const read = await readFolder(folder, hashes);
  await stateFolder.saveHashes(hashes);
  refuseUnreadable(read.findings);
  const stored = await state.findBase();
  const temporary = await mkdtemp(join(tmpdir(), 'incipit-'));
  try {
    const snapshot = await fetchSnapshot(client, {
      site: options.site,
      siteId: stored?.siteId,
      cache,
      temporary,
      isNeeded: (file) => isNeeded(file, read, stored),
      onProgress: options.onProgress,
    });
    await state.saveCache(cache);
    const live = readLive(snapshot);
    const base = stored ?? (await readCommitted(session, live.objects, temporary));
    const known = base?.objects ?? new Map();
    const mine = readMine(read.content, known, live.objects);
    const held = findHeld(read.findings, known);
    const sides = {
      base: without(known, held),
      mine: without(mine.objects, held),
      live: without(live.objects, held),
    };
    return { read, snapshot, live, mine, base, sides, held };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The base as git has it, for a folder whose own is lost. */
async function readCommitted(
  { folder, state }: SyncSession,
  live: KnownObjects,
  temporary: string,
): Promise<Base | undefined> {
  const commit = await state.findCommit();
  const target = join(temporary, 'commit');
  if (commit === undefined || !(await checkOut(folder, commit, target))) return undefined;
  const { content } = await readFolder(target);
  const { objects } = readMine(content, new Map(), live);
  return { siteId: undefined, objects };
}

/** Notes the commit that has what the base has. */
export async function noteCommit({ folder, state }: SyncSession, isEqual: boolean): Promise<void> {
  const commit = isEqual ? await findCleanCommit(folder) : undefined;
  if (commit !== undefined) await state.saveCommit(commit);
}

/** Files that many objects depend on. */
const sharedFile = /^(?:site\.json|redirects\.csv|media\.json|collections\/[^/]+\/collection\.json)$/;
/** What makes objects of a file unreadable, or other ones than somebody has written. */
const unreadable: ReadonlySet<string> = new Set([
  ...['folder.syntax', 'folder.conflictMark', 'folder.tooLarge', 'folder.notUtf8', 'folder.symlink'],
  ...['folder.format', 'folder.csvHeader', 'folder.csvRow', 'folder.wrongType', 'folder.keyMissing'],
  ...['folder.codeMissing', 'folder.bodyWithoutField'],
]);

function refuseUnreadable(findings: readonly FolderFinding[]): void {
  const fatal = findings.filter(({ file, code }) => unreadable.has(code) && sharedFile.test(file));
  const [first] = fatal;
  if (first !== undefined)
    throw new CommandEnd(
      1,
      `${first.file} cannot be read, and much depends on it. Correct it first.`,
      findings,
    );
}

/** Objects of files that cannot be read: they are no deletions. */
function findHeld(findings: readonly FolderFinding[], base: KnownObjects): ReadonlySet<Uid> {
  const files = new Set(findings.filter(({ code }) => unreadable.has(code)).map(({ file }) => file));
  const held = new Set<Uid>();
  if (files.size === 0) return held;
  const isHeld = (key: string) =>
    [...files].some((file) => {
      const stem = file.replace(/\.[^./]*$/, '');
      return key === file || key === stem || key.startsWith(`${file}/`) || isPart(key, file);
    });
  for (const { uid, key } of base.values()) if (key !== undefined && isHeld(key)) held.add(uid);
  return held;
}

/** Whether a file is a part of an object that has another main file. */
function isPart(key: string, file: string): boolean {
  if (file.endsWith('/blocks.json')) return key === file.replace(/blocks\.json$/, 'index.html');
  return key.endsWith('.json') && file.startsWith(key.slice(0, -'json'.length));
}

export function without(objects: KnownObjects, held: ReadonlySet<Uid>): KnownObjects {
  if (held.size === 0) return objects;
  return new Map([...objects].filter(([uid]) => !held.has(uid)));
}

/** Runs a command; what ends it early becomes its outcome. */
export async function runCommand<Outcome extends SyncOutcome>(
  work: () => Promise<Outcome>,
): Promise<Outcome | SyncOutcome> {
  try {
    return await work();
  } catch (error) {
    const end = { findings: [], conflicts: [], changes: [], changeSet: null, message: String(error) };
    if (error instanceof CommandEnd) {
      const { exitCode, message, findings } = error;
      return { ...end, exitCode, message, findings };
    }
    if (error instanceof SiteUnknown) return { ...end, exitCode: 2, message: error.message };
    if (error instanceof ServerError) return { ...end, exitCode: 4, message: error.message };
    throw error;
  }
}
