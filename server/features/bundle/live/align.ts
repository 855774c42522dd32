/**
 * The content of a bundle as the target would have it. Entries of live collections of the target and the files that
 * they use stay with their IDs. Objects of the bundle give way, and everything that names them follows.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { type OriginId, type OriginIds, readOriginIds, replaceOriginIds } from '../origins.ts';
import type { Row, TableRows } from '../rows.ts';
import type { StagedContent } from '../staged.ts';
import { findHash, saveHash } from '../store.ts';
import { assignIds, type StagedObject } from './assign.ts';
import {
  insertEntry,
  type LivePair,
  listPairs,
  liveCollections,
  readEntries,
  readFields,
  removeEntries,
} from './entries.ts';
import { FreeIds, FreePaths } from './free.ts';
import { RowRewriter } from './row-rewriter.ts';
import { UsedFiles } from './used-files.ts';

/** @param tables those that the bundle knows. @param keepsFiles whether all files of the target stay as they are */
export async function alignWithTarget(
  staged: StagedContent,
  target: ContentDb,
  tables: readonly TableRows[],
  keepsFiles: boolean,
): Promise<void> {
  await new Alignment(staged, target, tables, keepsFiles).run();
}

class Alignment {
  readonly #staged: StagedContent;
  readonly #target: ContentDb;
  readonly #tables: readonly TableRows[];
  readonly #keepsFiles: boolean;

  constructor(staged: StagedContent, target: ContentDb, tables: readonly TableRows[], keepsFiles: boolean) {
    this.#staged = staged;
    this.#target = target;
    this.#tables = tables;
    this.#keepsFiles = keepsFiles;
  }

  async run(): Promise<void> {
    const { db } = this.#staged;
    const pairs = await listPairs(db, this.#target);
    await this.#dropOthers(pairs);
    const [here, there] = [await readOriginIds(this.#target), await readOriginIds(db)];
    const { entries, files } = await this.#whatStays(pairs);
    const items = await this.#assignItems(entries, here, there);
    const named = await this.#assignFiles(files, here, there);
    await this.#move(items.moves, named.moves, named.paths);
    await replaceOriginIds(db, {
      item: items.origins,
      file: this.#keepsFiles ? here.file : named.origins,
    });
    await this.#insertEntries(pairs);
    await this.#insertFiles(named.kept);
  }

  /** Takes away entries and files of the bundle that do not come, because the target has its own. */
  async #dropOthers(pairs: readonly LivePair[]): Promise<void> {
    const { db, liveFiles, keptFiles } = this.#staged;
    for (const { to } of pairs) await removeEntries(db, to);
    const coming = new Set(await liveCollections(db));
    for (const { to } of pairs) coming.delete(to);
    const used = new UsedFiles(db);
    if (liveFiles.size > 0) for (const collection of coming) await this.#gather(db, collection, used);
    const dropped = [...liveFiles].filter((id) => !used.ids.has(id));
    for (const id of [...dropped, ...keptFiles]) await this.#dropFile(id);
    keptFiles.clear();
  }

  async #dropFile(id: number): Promise<void> {
    for (const rows of this.#tables)
      if (rows.table.kind.name === 'file') await rows.remove(this.#staged.db, { [rows.table.owner]: id });
    this.#staged.liveFiles.delete(id);
    this.#staged.archivePaths.delete(id);
  }

  async #gather(db: ContentDb, collection: number, used: UsedFiles, ids?: Set<number>): Promise<void> {
    const fields = await readFields(db, collection);
    for await (const entry of readEntries(db, collection)) {
      ids?.add(entry.id);
      await used.add(fields, entry);
    }
  }

  /** The entries of the target that stay, and the files that they use. */
  async #whatStays(pairs: readonly LivePair[]) {
    const { keptEntries } = this.#staged;
    keptEntries.clear();
    const used = new UsedFiles(this.#target);
    for (const { from } of pairs) await this.#gather(this.#target, from, used, keptEntries);
    return { entries: keptEntries, files: used.ids };
  }

  async #assignItems(kept: ReadonlySet<number>, here: OriginIds, there: OriginIds) {
    const objects: StagedObject[] = [];
    for await (const row of this.#rows('items')) {
      const id = Number(row['id']);
      objects.push({ id, originId: there.item.get(id)?.origin_id ?? id });
    }
    const free = new FreeIds('items', this.#staged, this.#target);
    const assigned = assignIds(objects, {
      kept,
      origins: originsOf(here.item),
      isThere: await this.#findThere(objects, hasItem),
      free: () => free.next(),
    });
    const origins = new Map<number, OriginId>();
    for (const { id: before, originId } of objects) {
      const id = assigned.get(before) ?? before;
      if (id !== originId) origins.set(id, { kind: 'item', id, origin_id: originId, origin_path: '' });
    }
    return { moves: onlyMoves(assigned), origins };
  }

  async #assignFiles(used: ReadonlySet<number>, here: OriginIds, there: OriginIds) {
    const { db, liveFiles, archivePaths } = this.#staged;
    const objects: FileInBundle[] = [];
    for await (const row of this.#rows('files')) {
      const [id, path] = [Number(row['id']), String(row['path'])];
      const { origin_id: originId = id, origin_path: originPath = path } = there.file.get(id) ?? {};
      objects.push({ id, path, originId, originPath, sha256: await findHash(db, String(row['content'])) });
      // The archive has the bytes under the path that it knows.
      if (!archivePaths.has(id)) archivePaths.set(id, path);
    }
    const kept = await this.#filesThatStay(used, objects, here);
    const free = new FreeIds('files', this.#staged, this.#target);
    const assigned = assignIds(objects, {
      kept: new Set(kept.keys()),
      origins: originsOf(here.file),
      isThere: await this.#findThere(objects, hasFile),
      free: () => free.next(),
    });
    const origins = new Map<number, OriginId>();
    for (const { id: before, originId, originPath } of objects) {
      const id = assigned.get(before) ?? before;
      if (!liveFiles.has(before))
        origins.set(id, { kind: 'file', id, origin_id: originId, origin_path: originPath });
    }
    return {
      moves: onlyMoves(assigned),
      paths: await this.#assignPaths(objects, assigned, kept, here),
      origins,
      kept,
    };
  }

  /** A file that the target knows keeps the path that it has there. @returns new paths by those in the bundle */
  async #assignPaths(
    objects: readonly FileInBundle[],
    assigned: ReadonlyMap<number, number>,
    kept: ReadonlyMap<number, string>,
    here: OriginIds,
  ): Promise<Map<string, string>> {
    const free = new FreePaths(
      this.#target,
      kept.values(),
      objects.map(({ path }) => path),
    );
    const moves = new Map<string, string>();
    const others: string[] = [];
    for (const { id: before, path, originPath } of objects) {
      const id = assigned.get(before) ?? before;
      const known = await findPath(this.#target, id);
      const isKnown = known !== undefined && (here.file.get(id)?.origin_path ?? known) === originPath;
      if (!isKnown || !free.claim(known)) others.push(path);
      else if (known !== path) moves.set(path, known);
    }
    for (const path of others) if (!free.claim(path)) moves.set(path, await free.like(path));
    return moves;
  }

  /** Looks up those IDs of origins on the target that the bundle does not use itself. */
  async #findThere(
    objects: readonly StagedObject[],
    has: (db: ContentDb, id: number) => Promise<boolean>,
  ): Promise<(id: number) => boolean> {
    const found = new Set<number>();
    for (const { id, originId } of objects)
      if (id !== originId && (await has(this.#target, originId))) found.add(originId);
    return (id) => found.has(id);
  }

  /** Files that live entries use and that are none of the bundle, with their paths. */
  async #filesThatStay(
    used: ReadonlySet<number>,
    objects: readonly FileInBundle[],
    here: OriginIds,
  ): Promise<Map<number, string>> {
    const kept = new Map<number, string>();
    const byOrigin = new Map(objects.map((file) => [file.originId, file]));
    for (const id of used) {
      const row = await findFile(this.#target, id);
      if (row === undefined) continue;
      const origin = here.file.get(id);
      const counterpart = byOrigin.get(origin?.origin_id ?? id);
      // A file that was not brought is the same only if everything says so.
      const isSame =
        counterpart !== undefined &&
        (origin !== undefined ||
          (counterpart.originPath === row.path &&
            counterpart.sha256 === (await findHash(this.#target, row.content))));
      if (!isSame) kept.set(id, row.path);
    }
    return kept;
  }

  /** Gives objects their IDs and paths on the target, and lets everything that names them follow. */
  async #move(
    item: ReadonlyMap<number, number>,
    file: ReadonlyMap<number, number>,
    paths: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { db } = this.#staged;
    const ids = new Map([
      ['file', file],
      ['item', item],
    ]);
    const rewriter = new RowRewriter(db, { ids, paths });
    if (!rewriter.isNeeded) return;
    for (const rows of this.#tables) {
      const moved: { readonly before: Row; readonly after: Row }[] = [];
      for await (const before of rows.all(db)) {
        const after = await rewriter.rewrite(rows.table, before);
        if (after === before) continue;
        const keepsPlace = [...rows.table.key, ...rows.table.unique].every(
          (name) => after[name] === before[name],
        );
        if (keepsPlace) await rows.update(db, after);
        else moved.push({ before, after });
        await nextTurn();
      }
      // All of them first, because they may exchange their places.
      for (const { before } of moved) await rows.remove(db, before);
      for (const { after } of moved) await rows.insert(db, after);
    }
    this.#staged.followMoves(file);
  }

  async #insertEntries(pairs: readonly LivePair[]): Promise<void> {
    for (const { from, to } of pairs)
      for await (const entry of readEntries(this.#target, from))
        await insertEntry(this.#staged.db, { ...entry, collection_id: to });
  }

  async #insertFiles(kept: ReadonlyMap<number, string>): Promise<void> {
    const { db, keptFiles } = this.#staged;
    const rows = this.#tables.find(({ table }) => table.name === 'files');
    for (const id of kept.keys()) {
      const row = await rows?.find(this.#target, { id });
      if (rows === undefined || row === undefined) continue;
      const isInFolder = await hasFolder(db, Number(row['folder_id']));
      await rows.insert(db, isInFolder ? row : { ...row, folder_id: 0 });
      const content = String(row['content']);
      await saveHash(db, { content, sha256: (await findHash(this.#target, content)) ?? '' });
      keptFiles.add(id);
    }
  }

  #rows(name: 'files' | 'items'): AsyncIterable<Row> {
    const rows = this.#tables.find(({ table }) => table.name === name);
    return rows === undefined ? none() : rows.all(this.#staged.db);
  }
}

interface FileInBundle extends StagedObject {
  readonly path: string;
  readonly originPath: string;
  readonly sha256: string | undefined;
}

function originsOf(known: ReadonlyMap<number, OriginId>): ReadonlyMap<number, number> {
  return new Map([...known].map(([id, { origin_id }]) => [id, origin_id]));
}

function onlyMoves(assigned: ReadonlyMap<number, number>): Map<number, number> {
  return new Map([...assigned].filter(([before, after]) => before !== after));
}

async function* none(): AsyncGenerator<Row> {}

const files = contentTable('files');
const findFile = files.findBy(['id'], ['path', 'content']);
const findPath = files.findCellBy(['id'], 'path');
const hasFile = files.existsBy('id');
const hasItem = contentTable('items').existsBy('id');
const hasFolder = contentTable('folders').existsBy('id');
