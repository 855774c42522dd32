import type { FoundLists } from '../../../runtime/export/export-findings.ts';
import { fileOfPage, isFilePath } from '../../../runtime/export/files.ts';
import type { PackedFile } from '../../../runtime/export/packer.ts';
import type { ExportedSite } from '../../../runtime/export/site.ts';
import { reservedNameIn } from '../../content/sites/reserved-paths.ts';
import { baseText } from './base.ts';
import type { ExportedFile } from './exported-file.ts';
import { allMedia, type ExportedMedia, findMedia } from './media.ts';
import type { ExportReport } from './model.ts';
import { ExportPages, type PageOutcome } from './pages.ts';
import { type ExportDeps, ExportTasks, type FilesPart, type PagesPart } from './tasks.ts';

/** Rounds of rendering again what changes have touched meanwhile. */
const maxRounds = 10;

/** Everything that belongs to a static export, and where its bytes are. */
export interface CollectedExport {
  readonly report: ExportReport;
  /** In order of their names. */
  readonly files: readonly ExportedFile[];
  /** The paths that pages answer at. */
  readonly paths: ReadonlySet<string>;
  /** Deletes the temporary files. Must be called once. */
  release(): void;
}

export interface CollectOptions {
  /** All public files of the library, in place of those that are used. */
  readonly withAllMedia: boolean;
  /** Gets the pages before the first one is rendered. */
  onPages?(pages: Pick<ExportPages, 'progress'>): void;
}

/** Renders a website to files. @throws PoolBusyError, or the error of the media storage */
export async function collectExport(
  deps: ExportDeps,
  site: ExportedSite,
  { withAllMedia, onPages }: CollectOptions,
): Promise<CollectedExport> {
  const tasks = new ExportTasks(deps, site);
  try {
    const made = await makeFiles(deps, site, tasks, onPages);
    const used = mediaOf(made);
    if (withAllMedia)
      for (const [file, address] of await allMedia(deps.snapshots, deps.media)) used.set(file, address);
    return { ...collected(site, made, await findMedia(deps.media, used)), release: () => tasks.release() };
  } catch (error) {
    tasks.release();
    throw error;
  }
}

interface MadeFiles {
  readonly pages: ExportPages;
  readonly system: FilesPart;
  /** Assets, and then those that they refer to. */
  readonly assets: readonly FilesPart[];
}

async function makeFiles(
  deps: ExportDeps,
  site: ExportedSite,
  tasks: ExportTasks,
  onPages: CollectOptions['onPages'],
): Promise<MadeFiles> {
  const { version } = deps;
  const pages = new ExportPages(deps, tasks, site.siteId);
  onPages?.(pages);
  for (let round = 1; ; round += 1) {
    const [system] = await Promise.all([tasks.system(), pages.findSeeds()]);
    await pages.render(system.result.found.links);
    const assets = await makeAssets(tasks, [system, ...pages.parts]);
    const made = { pages, system, assets };
    const isStale =
      pages.isStale() || [system, ...assets].some(({ result }) => !version.isUpToDate(result.reads));
    if (!isStale || round === maxRounds) return made;
    for (const part of [system, ...assets]) tasks.drop(part);
  }
}

async function makeAssets(
  tasks: ExportTasks,
  users: Iterable<{ readonly result: { readonly found: FoundLists } }>,
): Promise<FilesPart[]> {
  const parts: FilesPart[] = [];
  const known = new Set<string>();
  let wanted = [...users].flatMap(({ result }) => result.found.assets);
  for (;;) {
    const next = [...new Set(wanted)].filter((asset) => !known.has(asset));
    if (next.length === 0) return parts;
    for (const asset of next) known.add(asset);
    const part = await tasks.assets(next.sort());
    parts.push(part);
    wanted = [...part.result.found.assets];
  }
}

function mediaOf({ pages, system, assets }: MadeFiles): Map<string, string> {
  return new Map([...pages.parts, system, ...assets].flatMap(({ result }) => result.found.media));
}

function collected(
  site: ExportedSite,
  { pages, system, assets }: MadeFiles,
  media: ExportedMedia,
): Omit<CollectedExport, 'release'> {
  const errors = new Map<string, string>(system.result.errors);
  const outcomes = new Map<string, PageOutcome>();
  const files: ExportedFile[] = [];
  const pathOfFile = new Map<string, string>();
  const systemFiles = new Set(system.result.files.map(({ name }) => name));
  for (const { path, outcome, spool } of byPath(pages.parts)) {
    outcomes.set(path, outcome);
    const isSystemFile = outcome.kind === 'file' && systemFiles.has(outcome.file.name);
    // Servers show `404.html` at any address, so it is made for that, also of a page that has this very path.
    if (isSystemFile && path === system.result.notFoundPath) continue;
    const fault = isSystemFile
      ? 'the export has another file of this name'
      : faultOf(path, outcome, pages, pathOfFile);
    if (fault !== undefined) errors.set(path, fault);
    if (outcome.kind !== 'file' || fault !== undefined) continue;
    pathOfFile.set(outcome.file.name, path);
    files.push(spooled(outcome.file, spool));
  }
  for (const path of pathsBelowFiles(pathOfFile)) errors.set(path, 'a page above it is a file, not a folder');
  for (const { spool, result } of [system, ...assets])
    for (const file of result.files) files.push(spooled(file, spool));
  files.push(...media.files);
  files.sort((left, right) => (left.entry.name < right.entry.name ? -1 : 1));
  const links = new Map([...pages.parts, system].flatMap(({ result }) => result.found.links));
  const paths = [...pathOfFile.values()].sort();
  return {
    files,
    paths: new Set(paths),
    report: {
      pages: paths,
      errors: sorted(errors),
      broken_links: sorted(brokenAmong(links, outcomes, site)),
      media_files: media.files.length,
      media_bytes: media.bytes,
      missing_media: [...media.missing],
      asset_files: assets.reduce((sum, { result }) => sum + result.files.length, 0),
      base: baseText(site),
      too_many: pages.tooMany,
      private_media: media.privateCount,
    },
  };
}

/** In order, so that of two pages with the same file it is always the same one that counts. */
function byPath(
  parts: Iterable<PagesPart>,
): { readonly path: string; readonly outcome: PageOutcome; readonly spool: string }[] {
  return [...parts]
    .flatMap(({ spool, outcomes }) => outcomes.map(([path, outcome]) => ({ path, outcome, spool })))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}

function spooled(file: PackedFile, path: string): ExportedFile {
  return { entry: file, hash: file.hash, source: { kind: 'spool', path, start: file.start } };
}

/** Why an address that must be in the export cannot be; undefined if it is, or need not be. */
function faultOf(
  path: string,
  outcome: PageOutcome,
  pages: ExportPages,
  pathOfFile: ReadonlyMap<string, string>,
): string | undefined {
  if (outcome.kind === 'failed') return outcome.message;
  if (outcome.kind === 'missing' && pages.isSeed(path) && fileOfPage(path) === undefined)
    return 'this path cannot be a file';
  const other = outcome.kind === 'file' ? pathOfFile.get(outcome.file.name) : undefined;
  return other === undefined ? undefined : `it would be the same file as ${other}`;
}

/** Pages whose files would lie in a folder that is the file of another page. */
function* pathsBelowFiles(pathOfFile: ReadonlyMap<string, string>): Generator<string> {
  const files = new Set([...pathOfFile].filter(([, path]) => isFilePath(path)).map(([name]) => name));
  if (files.size === 0) return;
  for (const [name, path] of pathOfFile) {
    const folders = name.split('/').slice(0, -1);
    if (folders.some((_folder, index) => files.has(folders.slice(0, index + 1).join('/')))) yield path;
  }
}

/** Links that nothing answers. Redirects, and other spellings of paths, are followed by servers. */
function* brokenAmong(
  links: ReadonlyMap<string, string>,
  outcomes: ReadonlyMap<string, PageOutcome>,
  { base }: ExportedSite,
): Generator<[path: string, from: string]> {
  for (const [path, from] of links) {
    const reserved = reservedNameIn(path);
    const isThere =
      reserved === undefined
        ? outcomes.get(path)?.kind !== 'missing'
        : reserved === 'robots.txt' || (reserved === 'sitemap.xml' && base !== undefined);
    if (!isThere) yield [path, from];
  }
}

/** By path, and without a prototype, because paths come from outside. */
function sorted(entries: Iterable<readonly [string, string]>): Record<string, string> {
  const sortedEntries = [...entries].sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(sortedEntries);
}
