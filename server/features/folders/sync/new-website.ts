/** A folder as a website of a server without content: a push that compares with nothing. */
import { readFolder } from '../format/index.ts';
import type { IdentifiedObject, KnownObjects, Uid } from './objects/identity.ts';
import { readMine } from './objects/mine.ts';
import { type PushOperation, planOperations } from './objects/operations.ts';
import { findHome, listNewFolders, toHome } from './push-sending.ts';
import type { Json } from './server/api-client.ts';
import { PushStaging } from './server/push-staging.ts';

export interface NewWebsite {
  /** Body of the request that makes the website. */
  readonly site: { readonly title: string; readonly lang: string };
  /** Public files, which are stored before all else. */
  readonly files: readonly NewWebsiteFile[];
  readonly objects: KnownObjects;
  readonly operations: readonly PushOperation[];
}

export interface NewWebsiteFile {
  readonly uid: Uid;
  /** Path in the folder. */
  readonly key: string;
  readonly name: string;
  readonly alt: string;
  /** Its address below `/media/`. */
  readonly path: string;
}

/** Reads a folder that is known to have no faults, such as a starter. */
export async function readNewWebsite(folder: string): Promise<NewWebsite> {
  const { content } = await readFolder(folder);
  const { objects, sources } = readMine(content, new Map(), new Map());
  const home = findHome(objects);
  if (home === undefined) throw new Error(`${folder} has no site.json`);
  const operations = planOperations(new Map(), objects);
  const files = operations.flatMap(({ op, object }) => {
    const source = sources.get(object.uid);
    return op === 'create' && object.kind === 'file' && source !== undefined
      ? [toFile(object, source.key)]
      : [];
  });
  const { title, lang } = home.fields;
  return { site: { title: String(title), lang: String(lang ?? '') }, files, objects, operations };
}

function toFile({ uid, fields }: IdentifiedObject, key: string): NewWebsiteFile {
  const { name, alt, url } = fields;
  return {
    ...{ uid, key, name: String(name), alt: String(alt ?? '') },
    path: String(url).replace(/^\/media\//, ''),
  };
}

/**
 * Makes all objects of a website whose home page and files are there.
 *
 * @param fileIds in the order of its files
 * @param apply runs a batch and answers with the IDs of its objects
 */
export async function stageNewWebsite(
  { objects, operations, files }: NewWebsite,
  { homeId, fileIds }: { readonly homeId: number; readonly fileIds: readonly number[] },
  apply: (operations: readonly Json[]) => Promise<readonly unknown[]>,
): Promise<void> {
  const folderIds = new Map([['', 0]]);
  const ids = new Map<Uid, number>();
  for (const [index, { uid }] of files.entries()) ids.set(uid, fileIds[index] ?? 0);
  const staging = new PushStaging({
    apply,
    live: { folderIds, objects: new Map(), states: new Map() },
    wanted: objects,
    homeId,
    ids,
    contents: new Map(),
    onProgress: undefined,
  });
  const own = operations.map((operation) => toHome(operation, undefined, homeId, staging.ids));
  await staging.stage(own, listNewFolders(objects, folderIds));
}
