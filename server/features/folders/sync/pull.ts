/** `pull`: brings what has changed on a server into a folder. */

import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { FolderObject } from '../format/content.ts';
import { renderFiles } from '../format/index.ts';
import { changeFolder } from './local/folder-writer.ts';
import { writeMarks } from './marks.ts';
import type { PullOptions, SyncOutcome } from './model.ts';
import { type NamedContent, toFolderContent } from './objects/folder-content.ts';
import type { IdentifiedObject, KnownObjects, Uid } from './objects/identity.ts';
import { type Merge, type MergeConflict, mergeSides } from './objects/merge.ts';
import { nameObjects } from './objects/naming.ts';
import { createFindFile, listChanges, reportConflicts, reportWarnings } from './report.ts';
import { mapParallel } from './server/api-client.ts';
import { downloadFile } from './server/snapshot.ts';
import {
  type Compared,
  compareSides,
  findPendingPath,
  noteCommit,
  openSession,
  runCommand,
  type SyncSession,
  without,
} from './session.ts';

/** Somebody has changed a file of the folder while it was merged. */
class FolderChanged extends Error {}

const maxTries = 3;

export function pull(options: PullOptions): Promise<SyncOutcome> {
  return runCommand(async () => {
    const session = await openSession(options);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await pullOnce(session, options);
      } catch (error) {
        if (!(error instanceof FolderChanged) || attempt === maxTries) throw error;
      }
    }
  });
}

async function pullOnce(session: SyncSession, options: PullOptions): Promise<SyncOutcome> {
  const compared = await compareSides(session, () => true);
  const { live, mine, read } = compared;
  const hidden = options.noPrivate === true ? findPrivate(live.objects) : new Set<Uid>();
  const sides = {
    base: without(compared.sides.base, hidden),
    mine: without(compared.sides.mine, hidden),
    live: without(compared.sides.live, hidden),
  };
  const merge = mergeSides(sides, 'mine');
  const named = nameMerge(merge.objects, compared);
  const findFile = createFindFile(mine.sources, keysOf(named));
  const conflicts = reportConflicts(merge.conflicts, findFile);
  // What was missing before is there now.
  const own = read.findings.filter(({ code }) => code !== 'folder.siteMissing');
  const findings = [...own, ...reportWarnings(live.warnings, findFile)];
  const outcome = { findings, conflicts, changeSet: null };
  if (compared.base === undefined && conflicts.length > 0)
    return {
      ...{ ...outcome, changes: [], exitCode: 1 },
      message: 'The folder has files that were not pulled and differ. Nothing was written.',
    };
  const marked = options.mark === true ? markedUids(merge.conflicts) : new Set<Uid>();
  const base = nextBase(sides, merge.conflicts, marked, named, compared);
  await writeFolderChanges(session, { compared, merge, named, base, marked, sides });
  const isEqual = conflicts.length === 0 && !hasLocalChanges(merge.objects, sides.live);
  await noteCommit(session, isEqual);
  const hasErrors = findings.some(({ level }) => level === 'error');
  return {
    ...outcome,
    changes: listChanges(sides.mine, merge.objects, findFile),
    exitCode: conflicts.length > 0 || hasErrors ? 1 : 0,
  };
}

function findPrivate(objects: KnownObjects): ReadonlySet<Uid> {
  const files = [...objects.values()].filter(
    ({ kind, fields }) => kind === 'file' && fields['private'] === true,
  );
  return new Set(files.map(({ uid }) => uid));
}

function hasLocalChanges(merged: KnownObjects, live: KnownObjects): boolean {
  return listChanges(merged, live, (uid) => uid).length > 0;
}

function nameMerge(objects: KnownObjects, { mine, base }: Compared): NamedContent {
  const keys = nameObjects(objects, (uid) => mine.sources.get(uid)?.key ?? base?.objects.get(uid)?.key);
  return toFolderContent(objects, keys, (uid) => mine.sources.get(uid)?.fields['order']);
}

function keysOf({ byUid }: NamedContent): ReadonlyMap<Uid, string> {
  return new Map([...byUid].map(([uid, { key }]) => [uid, key]));
}

/** The objects with a conflict in their fields, which can be marked in their files. */
function markedUids(conflicts: readonly MergeConflict[]): ReadonlySet<Uid> {
  const whole = new Set(['deleted', 'changed', 'order', 'sha256']);
  return new Set(conflicts.filter(({ field }) => !whole.has(field)).map(({ uid }) => uid));
}

/** The state of the server is what both have in common, but for conflicts that nobody has decided. */
function nextBase(
  { base, live }: { readonly base: KnownObjects; readonly live: KnownObjects },
  conflicts: readonly MergeConflict[],
  marked: ReadonlySet<Uid>,
  { byUid }: NamedContent,
  compared: Compared,
): ReadonlyMap<Uid, IdentifiedObject> {
  const next = new Map<Uid, IdentifiedObject>();
  for (const [uid, object] of live)
    next.set(uid, { ...object, key: byUid.get(uid)?.key ?? base.get(uid)?.key });
  for (const { uid, field } of conflicts) {
    if (marked.has(uid)) continue;
    const [before, now] = [base.get(uid), next.get(uid)];
    if (before === undefined) next.delete(uid);
    else if (now === undefined || field === 'deleted' || field === 'changed') next.set(uid, before);
    else if (field !== 'order')
      next.set(uid, { ...now, fields: { ...now.fields, [field]: before.fields[field] ?? null } });
    else for (const child of base.values()) keepRank(next, child, uid);
  }
  for (const uid of compared.held) {
    const before = compared.base?.objects.get(uid);
    if (before !== undefined) next.set(uid, before);
  }
  return next;
}

function keepRank(next: Map<Uid, IdentifiedObject>, before: IdentifiedObject, parent: Uid): void {
  const now = next.get(before.uid);
  const isChild = before.fields['parent'] === `⟪${parent}⟫` || before.fields['collection'] === `⟪${parent}⟫`;
  if (now !== undefined && isChild) next.set(before.uid, { ...now, rank: before.rank });
}

interface PullResult {
  readonly compared: Compared;
  readonly merge: Merge;
  readonly named: NamedContent;
  readonly base: ReadonlyMap<Uid, IdentifiedObject>;
  readonly marked: ReadonlySet<Uid>;
  readonly sides: { readonly base: KnownObjects; readonly mine: KnownObjects; readonly live: KnownObjects };
}

async function writeFolderChanges(session: SyncSession, result: PullResult): Promise<void> {
  const { compared, named, base, marked, sides } = result;
  const { folder, state, stateFolder, url } = session;
  const wanted = [...named.byUid].filter(([uid]) => isChanged(uid, result)).map(([, object]) => object);
  const texts = new Map(renderFiles(named.content, wanted));
  if (marked.size > 0) {
    const other = nameMerge(mergeSides(sides, 'live').objects, compared);
    writeMarks(texts, { mine: named, live: other, marked });
  }
  const isEmpty = (name: 'redirect' | 'file') => ![...named.byUid.values()].some(({ kind }) => kind === name);
  const deletions = listDeletions(result, texts);
  const temporary = join(state.path, 'media');
  try {
    const copies = await fetchMedia(session, result, temporary);
    if (isEmpty('redirect') && compared.read.content.objects.has('redirects.csv'))
      deletions.push('redirects.csv');
    await requireUnchanged(session, compared, [...texts.keys(), ...copies.keys(), ...deletions]);
    const rootId = compared.snapshot.home?.['id'];
    const notes = new Map([
      [
        join(state.path, 'base.json'),
        JSON.stringify({
          format: 1,
          siteId: typeof rootId === 'number' ? rootId : undefined,
          objects: [...base.values()],
        }),
      ],
    ]);
    await changeFolder(folder, findPendingPath(session), { texts, copies, deletions, notes });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  await stateFolder.saveRemote(url);
  await stateFolder.ignore();
}

/** Whether the files of an object do not say what they should. */
function isChanged(uid: Uid, { compared, merge, named, marked }: PullResult): boolean {
  const [before, after] = [compared.mine.objects.get(uid), merge.objects.get(uid)];
  const source = compared.mine.sources.get(uid);
  const object = named.byUid.get(uid);
  if (before === undefined || after === undefined || source === undefined) return true;
  if (marked.has(uid) || object?.key !== source.key) return true;
  if ((object.fields['order'] ?? null) !== (source.fields['order'] ?? null)) return true;
  // A name that others have changed is another text here.
  return !isEqual(before, after) || !sameNames(source, object);
}

function isEqual(before: IdentifiedObject, after: IdentifiedObject): boolean {
  const names = new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]);
  return [...names].every((name) =>
    isDeepStrictEqual(before.fields[name] ?? null, after.fields[name] ?? null),
  );
}

/** Texts with references to what is called otherwise now. */
function sameNames(source: FolderObject, object: FolderObject): boolean {
  return Object.entries(object.fields).every(([name, value]) => {
    const own = source.fields[name];
    return typeof value !== 'string' || typeof own !== 'string' || value === own || name === 'collection';
  });
}

function listDeletions({ compared, named, merge }: PullResult, texts: ReadonlyMap<string, string>): string[] {
  const kept = new Set(texts.keys());
  const gone = new Set<string>();
  for (const [uid, source] of compared.mine.sources) {
    if (compared.held.has(uid)) continue;
    const isSame = named.byUid.get(uid)?.key === source.key && merge.objects.has(uid);
    const wasRendered = texts.has(source.files[0] ?? '') || !isSame;
    if (source.kind === 'redirect') continue;
    for (const file of source.files) {
      if (isSame && !wasRendered) kept.add(file);
      else if (!(source.kind === 'file' && isSame)) gone.add(file);
    }
  }
  for (const { key, kind } of named.byUid.values()) if (kind === 'file') kept.add(key);
  return [...gone].filter((file) => !kept.has(file));
}

/** Puts the media that the folder lacks into a temporary folder; by the paths where they belong. */
async function fetchMedia(
  { folder, client, options }: SyncSession,
  { compared, named }: PullResult,
  temporary: string,
): Promise<ReadonlyMap<string, string>> {
  await mkdir(temporary, { recursive: true });
  const local = new Map<unknown, string>();
  for (const { kind, key, fields } of compared.read.content.objects.values())
    if (kind === 'file') local.set(fields['sha256'], key);
  const wanted = [...named.byUid].filter(([, { kind, key, fields }]) => {
    const before = compared.read.content.objects.get(key);
    return kind === 'file' && before?.fields['sha256'] !== fields['sha256'];
  });
  const copies = new Map<string, string>();
  let done = 0;
  await mapParallel(wanted, async ([uid, { key, fields }]) => {
    const here = local.get(fields['sha256']);
    const state = compared.live.states.get(uid);
    if (here !== undefined) copies.set(key, join(folder, here));
    else if (state !== undefined) {
      const path = join(temporary, encodeURIComponent(uid));
      await downloadFile(client, state, path);
      copies.set(key, path);
    }
    done += 1;
    options.onProgress?.({ step: 'fetch', done, total: wanted.length });
  });
  return copies;
}

/** @throws FolderChanged if a file is no more what was merged */
async function requireUnchanged(
  { folder }: SyncSession,
  { read }: Compared,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const known = read.texts.get(path);
    if (path.startsWith('media/')) continue;
    const now = await readFile(join(folder, path), 'utf8').catch(() => undefined);
    if (now?.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '') !== known)
      throw new FolderChanged('Files of the folder change while they are pulled. Try again.');
  }
}
