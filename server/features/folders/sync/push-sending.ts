/** Sends what a push has planned: uploads, one change set, its publication, then pens. */
import { join } from 'node:path';
import { compareText, type FolderFinding } from '../format/content.ts';
import { decodeName } from '../format/file-names.ts';
import { isFields } from '../format/text-file.ts';
import { CommandEnd } from './command-end.ts';
import { LiveChanged, requireUnchanged } from './live-changed.ts';
import type { PushOptions, SyncOutcome } from './model.ts';
import { nextBase, withPens } from './next-base.ts';
import { type IdentifiedObject, type KnownObjects, toServerUid, type Uid } from './objects/identity.ts';
import type { PushOperation } from './objects/operations.ts';
import { sendPens } from './pens.ts';
import type { PushPlan } from './push-plan.ts';
import { reportWarnings } from './report.ts';
import { type ApiClient, type Json, ServerError } from './server/api-client.ts';
import { ObjectRefused } from './server/object-refused.ts';
import { PushStaging } from './server/push-staging.ts';
import { uploadFiles } from './server/uploads.ts';
import { noteCommit, type SyncSession } from './session.ts';

/** What a push has made on the server before it publishes. */
export interface PushTraces {
  site?: number | undefined;
  set?: number | undefined;
  files: readonly number[];
}

interface Staged {
  /** Null if nothing is left to do. */
  readonly changeSet: number | null;
  readonly ids: ReadonlyMap<Uid, number>;
}

/** Nothing is to be sent; what both have is the base. */
export async function finishEqual(session: SyncSession, plan: PushPlan): Promise<SyncOutcome> {
  await session.state.saveBase(nextBase(plan, new Map()));
  await rememberServer(session);
  await noteCommit(session, true);
  return { ...plan.outcome, changeSet: null, exitCode: 0 };
}

/** @throws CommandEnd, LiveChanged, ServerError */
export async function sendPush(
  session: SyncSession,
  plan: PushPlan,
  { release }: Pick<PushOptions, 'release'>,
): Promise<SyncOutcome> {
  return withTraces(session, plan, async (made) => {
    const homeId = await requireHome(session.client, plan, made);
    const name = release ?? 'incipit push';
    const purpose = release === undefined ? 'push' : 'release';
    const { changeSet, ids } = await stageChanges(session, plan, { homeId, made, name, purpose });
    if (release !== undefined) return { ...plan.outcome, changeSet, exitCode: 0 };
    const whole = nextBase(plan, ids, homeId);
    // Pens are sent after the publication, so a run that ends before knows them as they were.
    const published = withPens(whole, plan.compared.base?.objects.values() ?? []);
    let taken: readonly FolderFinding[] = [];
    if (changeSet !== null) {
      await session.state.savePush({ changeSet, base: published });
      taken = reportTaken(await publish(session.client, changeSet), plan, ids);
    }
    Object.assign(made, { set: undefined, site: undefined, files: [] });
    await session.state.saveBase(published);
    await session.state.forgetPush();
    await rememberServer(session);
    const pens = await sendPens(session.client, plan.compared, plan.wanted, ids);
    await session.state.saveBase(
      withPens(
        whole,
        [...whole.objects.values()].map((object) => ({ ...object, uid: pens.get(object.uid) ?? object.uid })),
      ),
    );
    await noteCommit(session, true);
    const findings = [...plan.outcome.findings, ...taken];
    return { ...plan.outcome, findings, changeSet, exitCode: 0 };
  });
}

async function rememberServer({ stateFolder, url }: SyncSession): Promise<void> {
  await stateFolder.saveRemote(url);
  await stateFolder.ignore();
}

/** Runs work that leaves nothing on the server if it fails; an object that is refused becomes a finding. */
export async function withTraces<Outcome extends SyncOutcome>(
  session: SyncSession,
  plan: PushPlan,
  work: (made: PushTraces) => Promise<Outcome>,
): Promise<Outcome | SyncOutcome> {
  const made: PushTraces = { files: [] };
  try {
    return await work(made);
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

async function takeBack({ client, state }: SyncSession, { set, site, files }: PushTraces): Promise<void> {
  const ignore = () => undefined;
  if (set !== undefined) await client.send('DELETE', `/change-sets/${set}`).catch(ignore);
  for (const id of files) await client.send('DELETE', `/files/${id}?purge=1`).catch(ignore);
  if (site !== undefined) await client.send('DELETE', `/pages/${site}?purge=1`).catch(ignore);
  if (set !== undefined) await state.forgetPush();
}

/** The home page. A server without the website gets one, which the change set fills. @throws CommandEnd, ServerError */
async function requireHome(
  client: ApiClient,
  { compared, wanted }: PushPlan,
  made: PushTraces,
): Promise<number> {
  const home = compared.snapshot.home?.['id'];
  if (typeof home === 'number') return home;
  const page = findHome(wanted);
  if (page === undefined)
    throw new CommandEnd(1, 'The folder has no site.json, so there is no website to send.');
  const { title, lang } = page.fields;
  const site = await client.send('POST', '/sites', { title, lang: lang ?? '' });
  made.site = Number(site['id']);
  return made.site;
}

export function findHome(wanted: KnownObjects): IdentifiedObject | undefined {
  return [...wanted.values()].find(isHome);
}

function isHome({ kind, fields }: IdentifiedObject): boolean {
  return kind === 'page' && fields['parent'] === undefined;
}

interface StageOptions {
  readonly homeId: number;
  /** Gets what is made. */
  readonly made: PushTraces;
  readonly name: string;
  readonly purpose: 'push' | 'release' | 'dev';
}

/** Uploads files, and puts all else into a new change set. @throws LiveChanged, ObjectRefused, ServerError */
export async function stageChanges(
  session: SyncSession,
  plan: PushPlan,
  { homeId, made, name, purpose }: StageOptions,
): Promise<Staged> {
  const { client, options } = session;
  const { compared, wanted } = plan;
  const { live } = compared;
  // Whoever shows a change set of this purpose has the bytes.
  const operations =
    purpose === 'dev' ? plan.operations.filter(({ op }) => op !== 'replace') : plan.operations;
  const uploaded = await sendFiles(session, { ...plan, operations }, { made, isPrivate: purpose === 'dev' });
  const changeSet = Number((await client.send('POST', '/change-sets', { name, purpose }))['id']);
  made.set = changeSet;
  const staging = new PushStaging({
    apply: async (ops) => {
      const { results } = await client.send('POST', `/batch?change_set=${changeSet}`, { ops });
      return Array.isArray(results) ? results.map((result) => Reflect.get(Object(result), 'id')) : [];
    },
    live,
    wanted,
    homeId,
    ...uploaded,
    onProgress: options.onProgress,
  });
  const own = operations.map((operation) => toHome(operation, compared.snapshot.home, homeId, staging.ids));
  await staging.stage(own, listNewFolders(wanted, live.folderIds));
  const items = await client.list(`/change-sets/${changeSet}/items`);
  if (items.length === 0) {
    await client.send('DELETE', `/change-sets/${changeSet}`);
    made.set = undefined;
    return { changeSet: null, ids: staging.ids };
  }
  await requireUnchanged(client, plan, changeSet, items);
  return { changeSet, ids: staging.ids };
}

/** Uploads new files, and new bytes of others as files of their own, which the change set puts in their places. */
async function sendFiles(
  { client, folder, options: { onProgress } }: SyncSession,
  { compared, operations }: PushPlan,
  { made, isPrivate }: { readonly made: PushTraces; readonly isPrivate: boolean },
): Promise<{ readonly ids: Map<Uid, number>; readonly contents: ReadonlyMap<Uid, number> }> {
  const listFor = (op: PushOperation['op']) =>
    operations.flatMap((operation) => {
      const { object } = operation;
      const source = compared.mine.sources.get(object.uid);
      return operation.op === op && object.kind === 'file' && source !== undefined
        ? [{ object, source }]
        : [];
    });
  const options = {
    pathOf: (key: string) => join(folder, key),
    onProgress,
    onStored: (id: number) => {
      made.files = [...made.files, id];
    },
  };
  const ids = await uploadFiles(client, listFor('create'), { ...options, isPrivate, isNew: true });
  const contents = await uploadFiles(client, listFor('replace'), {
    ...options,
    isPrivate: true,
    isNew: false,
  });
  return { ids, contents };
}

/**
 * The home page of a website that was just made is there already.
 *
 * @param home as the server had it before
 */
export function toHome(
  operation: PushOperation,
  home: Json | undefined,
  homeId: number,
  ids: Map<Uid, number>,
): PushOperation {
  const { op, object } = operation;
  if (home !== undefined || op !== 'create' || !isHome(object)) return operation;
  ids.set(object.uid, homeId);
  return { op: 'update', object, fields: operation.fields };
}

export function listNewFolders(wanted: KnownObjects, known: ReadonlyMap<string, number>): string[] {
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

/** What the server says of entries that break rules of their fields, by the results of a publication. */
function reportTaken(
  { results }: Json,
  { wanted, findFile }: Pick<PushPlan, 'wanted' | 'findFile'>,
  ids: Staged['ids'],
): FolderFinding[] {
  const created = new Map(
    [...wanted.values()].flatMap(({ uid, kind }) =>
      ids.has(uid) ? [[toServerUid(kind, ids.get(uid)), uid] as const] : [],
    ),
  );
  const warnings = listFields(results).flatMap(({ kind, id, warnings: ofObject }) =>
    listFields(ofObject)
      .filter(({ code }) => code === 'item.breaksRule')
      .map(({ code, error }) => {
        const known = `${String(kind)}:${String(id)}`;
        return { uid: created.get(known) ?? known, code: String(code), message: String(error) };
      }),
  );
  return reportWarnings(warnings, findFile);
}

function listFields(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** @returns the answer of the server */
async function publish(client: ApiClient, changeSet: number): Promise<Json> {
  try {
    return await client.send('POST', `/change-sets/${changeSet}/publish`, {});
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    if (error.code === 'changeset.conflict') throw new LiveChanged();
    const { kind, id } = error.params;
    const isOfObject = typeof kind === 'string' && error.status >= 400 && error.status < 500;
    throw isOfObject ? new ObjectRefused(`${kind}:${String(id)}`, error.code, error.message) : error;
  }
}
