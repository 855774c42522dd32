/** The content of a server as its API answers: the objects of a website and all that websites share. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderKind } from '../../format/content.ts';
import type { SyncProgress } from '../model.ts';
import { type ApiClient, type Json, mapParallel, ServerError } from './api-client.ts';
import { SiteUnknown } from './site-unknown.ts';

/** Parts of objects that lists do not have, by ID, with the `updated_at` that they belong to. */
export interface SnapshotCache {
  readonly pages: Record<string, Json>;
  readonly assets: Record<string, Json>;
  /** `updated_at`, `size` and `sha256` of files. */
  readonly files: Record<string, Json>;
}

export interface Snapshot {
  /** The home page; undefined if the server has no such website. */
  readonly home: Json | undefined;
  readonly objects: ReadonlyMap<FolderKind, readonly Json[]>;
  /** Folders of the media library. */
  readonly folders: readonly Json[];
  readonly cache: SnapshotCache;
}

export interface SnapshotOptions {
  readonly site: string | undefined;
  /** The home page that the base belongs to. */
  readonly siteId: number | undefined;
  readonly cache: SnapshotCache;
  /** Where files are put while their hash is computed. */
  readonly temporary: string;
  /** Whether a file need not be read, because no file of the folder can be the same. */
  isNeeded(file: Json): boolean;
  onProgress?: ((progress: SyncProgress) => void) | undefined;
}

/** Reads all content. @throws ServerError, SiteUnknown */
export async function fetchSnapshot(client: ApiClient, options: SnapshotOptions): Promise<Snapshot> {
  const home = chooseSite(await client.list('/pages?roots=1'), options);
  const [pages, snippets, assets, globals, collections] = await Promise.all([
    home === undefined ? [] : fetchPages(client, Number(home['id']), options),
    client.list('/snippets'),
    fetchAssets(client, options),
    client.list('/global-blocks'),
    client.list('/collections'),
  ]);
  const [workflows, nodes, pens, sources, redirects, folders, files] = await Promise.all([
    client.list('/workflows'),
    client.list('/flow-nodes'),
    client.list('/pens'),
    client.list('/sources'),
    home === undefined ? [] : client.list(`/redirects?root_id=${String(home['id'])}`),
    client.list('/folders'),
    fetchFiles(client, options),
  ]);
  const items = await mapParallel(
    collections.filter(({ live }) => live !== true),
    (collection) => client.list(`/collections/${String(collection['id'])}/items`),
  );
  const objects = new Map<FolderKind, readonly Json[]>([
    ['page', pages],
    ['snippet', snippets],
    ['asset', assets],
    ['global_block', globals],
    ['collection', collections],
    ['item', items.flat()],
    ['workflow', workflows],
    ['flow_node', nodes],
    ['pen', pens],
    ['source', sources],
    ['redirect', redirects],
    ['file', files],
  ]);
  return { home, objects, folders, cache: options.cache };
}

function chooseSite(
  roots: readonly Json[],
  { site, siteId }: Pick<SnapshotOptions, 'site' | 'siteId'>,
): Json | undefined {
  const domainsOf = (root: Json) => String(root['domains']).split('\n');
  if (site !== undefined) {
    const found = roots.find((root) => domainsOf(root).includes(site.toLowerCase()));
    if (found === undefined) throw new SiteUnknown(`The server has no website with the domain ${site}.`);
    return found;
  }
  const known = roots.find((root) => root['id'] === siteId);
  if (known !== undefined || roots.length <= 1) return known ?? roots[0];
  const domains = roots.flatMap(domainsOf).filter((domain) => domain !== '');
  throw new SiteUnknown(
    `The server has several websites. Name one with --site: ${domains.join(', ') || 'none has a domain'}.`,
  );
}

const partsOfPages = ['html', 'head', 'blocks', 'regions'] as const;

async function fetchPages(
  client: ApiClient,
  rootId: number,
  options: SnapshotOptions,
): Promise<readonly Json[]> {
  const listed = (await client.list('/pages')).filter((page) => page['root_id'] === rootId);
  return fetchParts(client, listed, '/pages', partsOfPages, options.cache.pages, options);
}

async function fetchAssets(client: ApiClient, options: SnapshotOptions): Promise<readonly Json[]> {
  const listed = await client.list('/assets');
  return fetchParts(client, listed, '/assets', ['content'], options.cache.assets, options);
}

/** Adds what lists leave out; what is known from before and has not changed is not asked for. */
async function fetchParts(
  client: ApiClient,
  listed: readonly Json[],
  path: string,
  names: readonly string[],
  cache: Record<string, Json>,
  { onProgress }: SnapshotOptions,
): Promise<readonly Json[]> {
  const ids = new Set(listed.map(({ id }) => String(id)));
  for (const id of Object.keys(cache)) if (!ids.has(id)) delete cache[id];
  let done = 0;
  const read = await mapParallel(listed, async (entry) => {
    const id = String(entry['id']);
    const known = cache[id];
    done += 1;
    if (known !== undefined && known['updated_at'] === entry['updated_at']) return { ...entry, ...known };
    const whole = await client.get(`${path}/${id}`).catch(ignoreGone);
    if (whole === undefined) return undefined;
    cache[id] = Object.fromEntries(['updated_at', ...names].map((name) => [name, whole[name]]));
    onProgress?.({ step: 'fetch', done, total: listed.length });
    return { ...entry, ...whole };
  });
  return read.filter((one) => one !== undefined);
}

/** Somebody has deleted the object while the lists were read. */
function ignoreGone(error: unknown): undefined {
  if (error instanceof ServerError && error.status === 404) return undefined;
  throw error;
}

const filesPerRequest = 1000;

async function fetchFiles(client: ApiClient, options: SnapshotOptions): Promise<readonly Json[]> {
  const files: Json[] = [];
  for (;;) {
    const page = await client.list(`/files?limit=${filesPerRequest}&offset=${files.length}`);
    files.push(...page);
    if (page.length < filesPerRequest) break;
  }
  const { cache } = options;
  const ids = new Set(files.map(({ id }) => String(id)));
  for (const id of Object.keys(cache.files)) if (!ids.has(id)) delete cache.files[id];
  return mapParallel(files, async (file) => ({ ...file, sha256: await hashFile(client, file, options) }));
}

/** The hash of a file; one that no file of the folder can be the same as is `size:<bytes>`. */
async function hashFile(client: ApiClient, file: Json, options: SnapshotOptions): Promise<string> {
  const { cache, temporary, isNeeded } = options;
  const id = String(file['id']);
  const { updated_at: updatedAt, size } = file;
  const known = cache.files[id];
  if (known !== undefined && known['updated_at'] === updatedAt && known['size'] === size)
    return String(known['sha256']);
  if (!isNeeded(file)) return `size:${String(size)}`;
  await mkdir(temporary, { recursive: true });
  const path = join(temporary, randomUUID());
  try {
    await downloadFile(client, file, path);
    const sha256 = await computeHash(path);
    cache.files[id] = { updated_at: updatedAt, size, sha256 };
    return sha256;
  } finally {
    await rm(path, { force: true });
  }
}

/** Writes the content of a file of the library, private ones too. @throws ServerError */
export async function downloadFile(client: ApiClient, file: Json, path: string): Promise<void> {
  const id = String(file['id']);
  const address =
    file['private'] === true
      ? (await client.send('POST', `/files/${id}/signed-url`, { ttl: 3600 }))['url']
      : file['url'];
  await client.download(String(address), path);
}

async function computeHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest('hex');
}
