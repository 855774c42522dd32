/** `push`: sends what has changed in a folder to a server, as one change set. */

import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { compareText, type FolderFinding } from '../format/content.ts';
import { decodeName } from '../format/file-names.ts';
import { isFields } from '../format/text-file.ts';
import { CommandEnd } from './command-end.ts';
import type { Base } from './local/state-folder.ts';
import type { PushOptions, SyncOutcome } from './model.ts';
import {
  type IdentifiedObject,
  type KnownObjects,
  readServerId,
  replaceTokens,
  toServerUid,
  type Uid,
} from './objects/identity.ts';
import { mergeSides } from './objects/merge.ts';
import { nameObjects } from './objects/naming.ts';
import { isReplaced, type PushOperation, planOperations } from './objects/operations.ts';
import { sendPens } from './pens.ts';
import { createFindFile, type FindFile, listChanges, reportConflicts, reportWarnings } from './report.ts';
import { type Json, ServerError } from './server/api-client.ts';
import { ObjectRefused, PushStaging, uploadFiles } from './server/staging.ts';
import {
  type Compared,
  compareSides,
  noteCommit,
  openSession,
  runCommand,
  type SyncSession,
} from './session.ts';

/** The content of the server has changed between reading and publishing. */
class LiveChanged extends Error {}

const maxTries = 4;

export function push(options: PushOptions): Promise<SyncOutcome> {
  return runCommand(async () => {
    const session = await openSession(options);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await pushOnce(session, options);
      } catch (error) {
        if (!(error instanceof LiveChanged)) throw error;
        if (attempt === maxTries)
          throw new CommandEnd(4, 'The content of the server changes all the time. Try again later.');
      }
    }
  });
}

/** What a push is about to send. */
interface Plan {
  readonly compared: Compared;
  readonly wanted: KnownObjects;
  readonly operations: readonly PushOperation[];
  readonly findFile: FindFile;
  readonly outcome: Pick<SyncOutcome, 'findings' | 'conflicts' | 'changes'>;
}

async function pushOnce(session: SyncSession, options: PushOptions): Promise<SyncOutcome> {
  const sizes = () => new Set([...session.hashes.values()].map(({ size }) => size));
  const compared = await compareSides(session, (file) => sizes().has(Number(file['size'])));
  const merge = mergeSides(compared.sides, 'mine');
  const keys = nameObjects(merge.objects, (uid) => compared.mine.sources.get(uid)?.key);
  const liveKeys = nameObjects(compared.sides.live, (uid) => compared.base?.objects.get(uid)?.key);
  const findFile = createFindFile(compared.mine.sources, new Map([...liveKeys, ...keys]));
  const conflicts = reportConflicts(merge.conflicts, findFile);
  const changes = listChanges(compared.sides.live, merge.objects, findFile);
  const findings = [...compared.read.findings, ...reportWarnings(compared.live.warnings, findFile)];
  const outcome = { findings, conflicts, changes };
  const end = (exitCode: SyncOutcome['exitCode'], message?: string): SyncOutcome => ({
    ...{ ...outcome, changeSet: null, exitCode },
    message,
  });
  if (conflicts.length > 0) return end(1, 'Both sides have changed the same. Nothing was sent.');
  const operations = planOperations(compared.sides.live, merge.objects);
  if (options.force !== true && hasErrors(findings, compared))
    return end(1, 'Files with errors have changed. Nothing was sent; --force sends them.');
  const deletions = changes.filter(({ op }) => op === 'delete');
  if (deletions.length > 0 && options.yes !== true && options.stage === undefined) {
    if (options.confirm === undefined) return end(3, 'Something would be deleted. Add --yes to do it.');
    if (!(await options.confirm(deletions))) return end(3, 'Nothing was sent.');
  }
  const plan = { compared, wanted: merge.objects, operations, findFile, outcome };
  return changes.length === 0 && !hasMoves(operations)
    ? finishEqual(session, plan)
    : send(session, plan, options);
}

function hasMoves(operations: readonly PushOperation[]): boolean {
  return operations.length > 0;
}

/** Errors count in files that would be sent. */
function hasErrors(findings: readonly FolderFinding[], { mine, sides }: Compared): boolean {
  const changed = new Set<string>();
  for (const [uid, { files }] of mine.sources) {
    const [before, after] = [sides.base.get(uid) ?? sides.live.get(uid), sides.mine.get(uid)];
    const isEqual =
      before !== undefined && after !== undefined && isDeepStrictEqual(before.fields, after.fields);
    if (!isEqual) for (const file of files) changed.add(file);
  }
  const known = new Set([...mine.sources.values()].flatMap(({ files }) => files));
  return findings.some(({ level, file }) => level === 'error' && (changed.has(file) || !known.has(file)));
}

/** Nothing is to be sent; what both have is the base. */
async function finishEqual(session: SyncSession, plan: Plan): Promise<SyncOutcome> {
  await session.state.saveBase(nextBase(plan, new Map()));
  await session.stateFolder.saveRemote(session.url);
  await session.stateFolder.ignore();
  await noteCommit(session, true);
  return { ...plan.outcome, changeSet: null, exitCode: 0 };
}

async function send(session: SyncSession, plan: Plan, options: PushOptions): Promise<SyncOutcome> {
  const { client } = session;
  const made: PushTraces = { files: [] };
  try {
    const homeId = await requireHome(session, plan, made);
    const staged = await stage(session, plan, options, homeId, made);
    if (options.stage !== undefined || options.release !== undefined)
      return { ...plan.outcome, changeSet: staged.changeSet, exitCode: 0 };
    const base = nextBase(plan, staged.ids, homeId);
    if (staged.changeSet !== null) {
      await session.state.savePush({ changeSet: staged.changeSet, base });
      await publish(session, staged.changeSet);
    }
    Object.assign(made, { set: undefined, site: undefined, files: [] });
    await sendContents(session, plan);
    const pens = await sendPens(client, plan.compared, plan.wanted, staged.ids);
    await session.state.saveBase(withPens(base, pens));
    await session.state.forgetPush();
    await session.stateFolder.saveRemote(session.url);
    await session.stateFolder.ignore();
    await noteCommit(session, plan.outcome.conflicts.length === 0);
    return { ...plan.outcome, changeSet: staged.changeSet, exitCode: 0 };
  } catch (error) {
    await takeBack(session, made);
    if (!(error instanceof ObjectRefused)) throw error;
    const { uid, code, message } = error;
    const finding = { file: plan.findFile(uid), line: 1, column: 1, level: 'error' as const, code, message };
    return {
      ...{ ...plan.outcome, changeSet: null, exitCode: 1 },
      findings: [...plan.outcome.findings, finding],
      message: 'The server does not take the folder. Nothing was changed.',
    };
  }
}

/** What a push has made on the server before it publishes. */
interface PushTraces {
  site?: number | undefined;
  set?: number | undefined;
  files: readonly number[];
}

/** Leaves nothing of a push that failed. */
async function takeBack({ client, state }: SyncSession, { set, site, files }: PushTraces): Promise<void> {
  const ignore = () => undefined;
  if (set !== undefined) await client.send('DELETE', `/change-sets/${set}`).catch(ignore);
  for (const id of files) await client.send('DELETE', `/files/${id}?purge=1`).catch(ignore);
  if (site !== undefined) await client.send('DELETE', `/pages/${site}?purge=1`).catch(ignore);
  if (set !== undefined) await state.forgetPush();
}

/** The home page. A server without the website gets one, which the change set fills. */
async function requireHome(
  { client }: SyncSession,
  { compared, wanted }: Plan,
  made: PushTraces,
): Promise<number> {
  const home = compared.snapshot.home?.['id'];
  if (typeof home === 'number') return home;
  const page = [...wanted.values()].find(
    ({ kind, fields }) => kind === 'page' && fields['parent'] === undefined,
  );
  if (page === undefined)
    throw new CommandEnd(1, 'The folder has no site.json, so there is no website to send.');
  const { title, lang } = page.fields;
  const site = await client.send('POST', '/sites', { title, lang: lang ?? '' });
  made.site = Number(site['id']);
  return made.site;
}

interface Staged {
  readonly changeSet: number | null;
  readonly ids: ReadonlyMap<Uid, number>;
}

async function stage(
  session: SyncSession,
  plan: Plan,
  options: PushOptions,
  homeId: number,
  made: PushTraces,
): Promise<Staged> {
  const { client, folder } = session;
  const { compared, wanted, operations } = plan;
  const { live, mine } = compared;
  const newFiles = operations.flatMap(({ op, object }) => {
    const source = mine.sources.get(object.uid);
    return op === 'create' && object.kind === 'file' && source !== undefined ? [{ object, source }] : [];
  });
  const uploaded = await uploadFiles(client, newFiles, {
    pathOf: (key) => join(folder, key),
    onProgress: options.onProgress,
    onStored: (id) => {
      made.files = [...made.files, id];
    },
  });
  const staging = new PushStaging({ client, live, wanted, homeId, onProgress: options.onProgress });
  for (const [uid, id] of uploaded) staging.ids.set(uid, id);
  const own = operations.map((operation) => toHome(operation, compared, homeId, staging.ids));
  const purpose = options.stage !== undefined ? 'dev' : options.release === undefined ? 'push' : 'release';
  if (options.stage?.changeSet !== undefined)
    await client.send('DELETE', `/change-sets/${options.stage.changeSet}`).catch(() => undefined);
  const name = options.release ?? 'incipit push';
  made.set = Number((await client.send('POST', '/change-sets', { name, purpose }))['id']);
  await staging.stage(made.set, own, listNewFolders(wanted, live.folderIds));
  const items = await client.list(`/change-sets/${made.set}/items`);
  if (items.length === 0) {
    await client.send('DELETE', `/change-sets/${made.set}`);
    made.set = undefined;
    return { changeSet: null, ids: staging.ids };
  }
  await requireUnchanged(session, plan, made.set, items);
  return { changeSet: made.set, ids: staging.ids };
}

/** The home page of a website that this push has made is there already. */
function toHome(
  operation: PushOperation,
  { snapshot }: Compared,
  homeId: number,
  ids: Map<Uid, number>,
): PushOperation {
  const { op, object } = operation;
  const isHome =
    snapshot.home === undefined && object.kind === 'page' && object.fields['parent'] === undefined;
  if (!isHome || op !== 'create') return operation;
  ids.set(object.uid, homeId);
  return { op: 'update', object, fields: operation.fields };
}

function listNewFolders(wanted: KnownObjects, known: ReadonlyMap<string, number>): string[] {
  const folders = new Set<string>();
  for (const { kind, fields } of wanted.values()) {
    if (kind !== 'file') continue;
    const parts = String(fields['folder'] ?? '').split('/');
    for (let length = 1; length <= parts.length; length += 1) {
      const path = parts.slice(0, length).join('/');
      if (!known.has(path)) folders.add(path);
    }
  }
  // Of folders with one name the first is the one without an escape.
  const sortKey = (path: string) => `${path.split('/').map(decodeName).join('/')} ${path.length}`;
  return [...folders].toSorted((left, right) => compareText(sortKey(left), sortKey(right)));
}

/** @throws LiveChanged if an object had changed before it came into the change set */
async function requireUnchanged(
  { client }: SyncSession,
  { compared }: Plan,
  changeSet: number,
  items: readonly Json[],
): Promise<void> {
  const { states } = compared.live;
  for (const { kind, id, base_updated_at: base, op } of items) {
    const state = states.get(toServerUid(kind as IdentifiedObject['kind'], id));
    const known = state?.['updated_at'];
    if (op === 'delete' && typeof base === 'number' && typeof known === 'number' && base !== known)
      throw new LiveChanged();
  }
  for (const { kind, id, op, fields } of await client.list(`/change-sets/${changeSet}/diff`)) {
    const state = states.get(toServerUid(kind as IdentifiedObject['kind'], id));
    if (state === undefined || op === 'create' || !Array.isArray(fields)) continue;
    for (const field of fields as readonly Json[])
      if (hasChanged(state, String(field['field']), field['base'])) throw new LiveChanged();
  }
}

const arranged: ReadonlySet<string> = new Set(['translations', 'sort', 'parent_id', 'deleted', 'changed']);

function hasChanged(state: Json, field: string, base: unknown): boolean {
  if (arranged.has(field)) return false;
  const [outer = '', ...inner] = field.split('.');
  const whole = state[outer];
  const known = inner.length > 0 && isFields(whole) ? whole[inner.join('.')] : whole;
  return !isDeepStrictEqual(known ?? null, base ?? null);
}

async function publish({ client }: SyncSession, changeSet: number): Promise<void> {
  try {
    await client.send('POST', `/change-sets/${changeSet}/publish`, {});
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    if (error.code === 'changeset.conflict') throw new LiveChanged();
    const { kind, id } = error.params;
    const isOfObject = typeof kind === 'string' && error.status >= 400 && error.status < 500;
    throw isOfObject ? new ObjectRefused(`${kind}:${String(id)}`, error.code, error.message) : error;
  }
}

/** Bytes of files that are other ones now. A change set cannot hold them, so they are sent after it. */
async function sendContents({ client, folder }: SyncSession, { compared, operations }: Plan): Promise<void> {
  for (const { op, object } of operations) {
    const source = compared.mine.sources.get(object.uid);
    const isOther =
      op === 'update' &&
      object.kind === 'file' &&
      compared.live.objects.get(object.uid)?.fields['sha256'] !== object.fields['sha256'];
    if (!isOther || source === undefined) continue;
    await client.upload('PUT', `/files/${readServerId(object.uid)}`, join(folder, source.key), {
      filename: String(object.fields['name']),
    });
  }
}

/** The base moves for what was sent: it has what the folder has of it. */
function nextBase({ compared, wanted }: Plan, ids: ReadonlyMap<Uid, number>, homeId?: number): Base {
  const { base, mine, live } = compared.sides;
  const toUid = (uid: Uid): Uid => {
    const id = ids.get(uid);
    const kind = wanted.get(uid)?.kind;
    return id === undefined || kind === undefined ? uid : toServerUid(kind, id);
  };
  const next = new Map<Uid, IdentifiedObject>();
  for (const uid of compared.held) {
    const before = compared.base?.objects.get(uid);
    if (before !== undefined) next.set(uid, before);
  }
  for (const [uid, object] of base) {
    // Deleted on one side, and now on both.
    if (mine.has(uid) || wanted.has(uid)) next.set(uid, object);
  }
  for (const [uid, object] of mine) {
    const merged = wanted.get(uid);
    // Somebody has deleted on the server what the folder still has unchanged: the next pull deletes it.
    if (merged === undefined) continue;
    const own = replaceTokens(object.fields, toUid);
    const id = toUid(uid);
    const fields = isFields(own) ? own : object.fields;
    next.delete(uid);
    next.set(id, { ...object, uid: id, fields });
  }
  for (const uid of live.keys()) {
    const isReplacedHere = isReplaced(live.get(uid), wanted.get(uid) ?? { ...emptyObject, uid });
    if (isReplacedHere && toUid(uid) !== uid) next.delete(uid);
  }
  const known = compared.snapshot.home?.['id'];
  return { siteId: homeId ?? (typeof known === 'number' ? known : undefined), objects: next };
}

const emptyObject: IdentifiedObject = { uid: '', kind: 'page', key: undefined, fields: {}, rank: 0 };

function withPens(base: Base, pens: ReadonlyMap<Uid, Uid>): Base {
  const objects = new Map<Uid, IdentifiedObject>();
  for (const [uid, object] of base.objects) {
    const now = pens.get(uid) ?? uid;
    objects.set(now, { ...object, uid: now });
  }
  return { ...base, objects };
}
