/** What people are told: files and fields in the place of objects. */
import type { FolderFinding, FolderObject } from '../format/content.ts';
import type { FolderChange, FolderConflict } from './model.ts';
import { type KnownObjects, readToken, replaceTokens, type Uid } from './objects/identity.ts';
import { listChangedFields, type MergeConflict } from './objects/merge.ts';
import type { LiveWarning } from './server/live.ts';

/** Finds the file of an object. */
export type FindFile = (uid: Uid) => string;

/** @param sources as the folder has them. @param keys of all objects */
export function createFindFile(
  sources: ReadonlyMap<Uid, FolderObject>,
  keys: ReadonlyMap<Uid, string>,
): FindFile {
  return (uid) => {
    const source = sources.get(uid);
    if (source !== undefined) return mainFile(source);
    const key = keys.get(uid) ?? uid;
    return key.startsWith('redirects.csv#') ? 'redirects.csv' : key;
  };
}

/** The home page begins in its own file if it has one. */
function mainFile({ key, files }: FolderObject): string {
  return files.includes(key) ? key : (files[0] ?? key);
}

export function reportConflicts(conflicts: readonly MergeConflict[], findFile: FindFile): FolderConflict[] {
  const show = (value: unknown) => showValue(value, findFile);
  return conflicts.map(({ uid, field, base, mine, live }) => ({
    file: findFile(uid),
    field: nameField(field),
    ...{ base: show(base), mine: show(mine), live: show(live) },
  }));
}

/** References are shown by the files that they lead to. */
function showValue(value: unknown, findFile: FindFile): unknown {
  const uid = readToken(value);
  if (uid !== undefined) return findFile(uid);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' && /^[a-z_]+:/.test(one)))
    return value.map((one) => findFile(String(one)));
  return replaceTokens(value, findFile);
}

function nameField(field: string): string {
  return field === 'parent' ? 'parent_id' : field;
}

/** What makes `from` into `to`. */
export function listChanges(from: KnownObjects, to: KnownObjects, findFile: FindFile): FolderChange[] {
  const changes: FolderChange[] = [];
  for (const uid of new Set([...from.keys(), ...to.keys()])) {
    const [before, after] = [from.get(uid), to.get(uid)];
    if (before === undefined) changes.push({ file: findFile(uid), op: 'create', fields: [] });
    else if (after === undefined) changes.push({ file: findFile(uid), op: 'delete', fields: [] });
    else {
      const fields = listChangedFields(before, after);
      const isMove = ['parent', 'slug'].some((name) => before.kind === 'page' && fields.includes(name));
      if (fields.length > 0)
        changes.push({ file: findFile(uid), op: isMove ? 'move' : 'update', fields: fields.map(nameField) });
    }
  }
  return changes.toSorted((left, right) => (left.file < right.file ? -1 : left.file > right.file ? 1 : 0));
}

export function reportWarnings(warnings: readonly LiveWarning[], findFile: FindFile): FolderFinding[] {
  return warnings.map(({ uid, code, message }) => ({
    ...{ file: findFile(uid), line: 1, column: 1, level: 'warning' as const },
    ...{ code, message },
  }));
}
