import { gunzipSync } from 'node:zlib';
import type { ContentCache } from '../content/content-cache.ts';
import type { PageRecord, VersionRecord } from '../content/reader.ts';
import type { SiteHost } from '../content/site-host.ts';
import { type Alternate, listAlternates } from '../page/alternates.ts';
import {
  type Address,
  type DetailAddress,
  detailAddresses,
  isOnlyForEntries,
  needsEntry,
  sourcedAddresses,
} from '../page/detail-pages.ts';
import { findNotFoundPage } from '../page/not-found.ts';
import { parsePath, resolvePath } from '../page/route.ts';
import { escapeHtml } from '../values/escape.ts';
import type { TaskContext } from './context.ts';
import { compress, computeEntityTag } from './encode.ts';
import type {
  SitemapCopy,
  SitemapCopyTask,
  SitemapFile,
  SitemapResult,
  SitemapTask,
} from './messages/delivery.ts';

/** Most addresses of one file, by the sitemap protocol and Core, "Limits". */
export const addressesPerFile = 50_000;

/** Stands for the host in the sitemap of a website without domains. No address contains this character. */
const hostPlaceholder = '\u0000';

/** `/sitemap.xml` and its parts (Core, "Public non-API routes"). */
export async function sitemapTask(context: TaskContext, task: SitemapTask): Promise<SitemapResult> {
  const { value, reads } = await context.onSnapshot(0, () => {
    const site = task.site.fromRequest ? { ...task.site, host: hostPlaceholder } : task.site;
    const { partCount, part } = createSitemap(context, site);
    const text = part(task.part);
    return { partCount, file: text === undefined ? undefined : fileOf(text) };
  });
  return { reads, expiresAt: context.tools.sources.expiresAt, ...value };
}

/** The sitemap of a website: the number of its last part, 0 if it is one file, and the text of each part. */
export function createSitemap(
  context: TaskContext,
  site: SiteHost,
): { readonly partCount: number; part(number: number): string | undefined } {
  const origin = `${context.tools.scheme}://${site.host}`;
  const details = listDetailAddresses(context, site.siteId).filter(({ path }) => canBeRequested(path));
  const addresses = followedBy(listedPages(context, site.siteId), details);
  const versions = versionsOf(context, site, origin, details);
  return {
    partCount: partCountOf(addresses.count),
    part: (number) => sitemapText(origin, addresses, number, versions),
  };
}

function fileOf(text: string): SitemapFile {
  const bytes = new TextEncoder().encode(text);
  return { gzip: compress(bytes, 'gzip', 'often'), tag: computeEntityTag(bytes) };
}

/** The text of a compressed sitemap, with the host of the request. */
export async function sitemapCopyTask(task: SitemapCopyTask): Promise<SitemapCopy> {
  const plain = gunzipSync(task.file);
  const text = new Uint8Array(task.host === undefined ? plain : withHost(plain, task.host));
  return { text, gzip: task.compress ? compress(text, 'gzip', 'often') : undefined };
}

/** Reads the bytes as single characters, because decoding UTF-8 would take longer and change nothing. */
function withHost(bytes: Buffer, host: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(hostPlaceholder, host), 'latin1');
}

/** The text of one file; undefined for parts that do not exist. */
export function sitemapText(
  origin: string,
  pages: ListedAddresses,
  part: number,
  versionsOfGroup: VersionsOfGroup = noVersions,
): string | undefined {
  const partCount = partCountOf(pages.count);
  if (part > partCount) return undefined;
  if (part === 0 && partCount > 0) return index(origin, partCount);
  const start = Math.max(part - 1, 0) * addressesPerFile;
  return urlSet(origin, pages.from(start, addressesPerFile), versionsOfGroup);
}

/** The addresses that a sitemap lists, read as they are needed. */
interface ListedAddresses {
  readonly count: number;
  /** `count` addresses after the first `start`. */
  from(start: number, count: number): Iterable<Address>;
}

/** How many numbered files there are besides the index; 0 if all addresses fit into one file. */
function partCountOf(pageCount: number): number {
  return pageCount <= addressesPerFile ? 0 : Math.ceil(pageCount / addressesPerFile);
}

/** The language versions of a translation group. */
type VersionsOfGroup = (group: string) => readonly Alternate[];
const noVersions: VersionsOfGroup = () => [];

/** Reads the versions of all groups at the first group that is asked for; most websites have none. */
function versionsOf(
  { memo, tools }: TaskContext,
  site: SiteHost,
  origin: string,
  details: readonly DetailAddress[],
): VersionsOfGroup {
  const ofDetails = versionsOfDetails(origin, details);
  const origins = { site, scheme: tools.scheme, root: (id: number) => memo.basics(id) };
  let byGroup: ReadonlyMap<string, readonly VersionRecord[]> | undefined;
  return (group) => {
    if (group.startsWith(entryGroup)) return ofDetails(group);
    byGroup ??= Map.groupBy(answering(tools, memo.languages.versionsOfSite(site.siteId)), groupName);
    return listAlternates(byGroup.get(group) ?? [], origins);
  };
}

const groupName = ({ translation_group: group }: VersionRecord): string => group;

/** Versions without pages that answer 404 by themselves. */
function answering(
  tools: TaskContext['tools'],
  versions: readonly VersionRecord[],
): readonly VersionRecord[] {
  return versions.filter(({ id }) => !isOnlyForEntries(tools, id));
}

/** Pages, then detail pages. */
function followedBy(pages: ListedAddresses, details: readonly DetailAddress[]): ListedAddresses {
  return {
    count: pages.count + details.length,
    *from(start, count) {
      if (start < pages.count) yield* pages.from(start, count);
      yield* details.slice(Math.max(start - pages.count, 0), Math.max(start + count - pages.count, 0));
    },
  };
}

/** Whether there can be a page at an address. The values of entries may be anything, such as `..`. */
function canBeRequested(path: string): boolean {
  const parsed = parsePath(path);
  return parsed !== undefined && !parsed.trailingSlash;
}

/** The detail pages below the listed catch-all pages, without addresses that belong to other pages. */
export function listDetailAddresses({ memo, tools }: TaskContext, rootId: number): DetailAddress[] {
  const notFoundId = notFoundPageOf(memo, rootId);
  const details = new Map<string, DetailAddress>();
  for (const { id } of memo.catchAllPages(rootId)) {
    const page = memo.page(id);
    if (page === undefined || !page.published || page.sitemap_exclude || page.noindex || id === notFoundId)
      continue;
    const source = memo.sitemapSource(id);
    const isOthers = othersBelow(memo, page);
    const below = source === null ? detailAddresses(tools, page) : sourcedAddresses(tools, page, source);
    for (const address of below)
      if (!details.has(address.path) && !isOthers(address.path))
        details.set(address.path, { ...address, translation_group: groupOf(address) });
  }
  return [...details.values()];
}

/**
 * Tells whether an address below a catch-all page belongs to another page: a page at the same path, also if the address
 * has it in another spelling or the page is a draft, or a nearer catch-all page.
 */
function othersBelow(
  memo: ContentCache,
  { id, root_id: rootId, path }: PageRecord,
): (address: string) => boolean {
  const children = new Set(memo.childrenOf(id, 'all').map((child) => child.path));
  const start = path === '/' ? 1 : path.length + 1;
  return (address) => {
    const end = address.indexOf('/', start);
    const first = end < 0 ? address : address.slice(0, end);
    if (!children.has(first.toLowerCase()) || !canBeRequested(address)) return false;
    const target = resolvePath(memo, rootId, address);
    return target.kind !== 'page' || target.page.id !== id;
  };
}

/** Groups of entries and groups of pages have names of their own. */
const entryGroup = 'entry ';

function groupOf({ translation_group: group, lang }: DetailAddress): string {
  return group === '' || lang === '' ? '' : entryGroup + group;
}

function versionsOfDetails(origin: string, details: readonly DetailAddress[]): VersionsOfGroup {
  const grouped = Map.groupBy(
    details.filter(({ translation_group: group }) => group !== ''),
    ({ translation_group: group }) => group,
  );
  return (group) => {
    const members = grouped.get(group) ?? [];
    if (members.length < 2) return [];
    const versions = members.map(({ lang, path }) => ({ lang, url: origin + path }));
    return versions.sort((left, right) => (left.lang < right.lang ? -1 : 1));
  };
}

/** The pages that a sitemap lists. A page that answers 404 without an entry is none. */
function listedPages({ memo, tools }: TaskContext, rootId: number): ListedAddresses {
  const notFoundId = notFoundPageOf(memo, rootId);
  const hidden = new Set<string>();
  for (const { id, path } of memo.catchAllPages(rootId)) {
    const page = memo.page(id);
    if (page === undefined || !page.published || page.sitemap_exclude || page.noindex || id === notFoundId)
      continue;
    if (needsEntry(tools, page)) hidden.add(path);
  }
  return {
    count: memo.countListed(rootId, notFoundId) - hidden.size,
    from(start, count) {
      if (hidden.size === 0) return memo.listed(rootId, notFoundId, start, count);
      const all = memo.listed(rootId, notFoundId, 0, start + count + hidden.size);
      return slice(all, ({ path }) => !hidden.has(path), start, count);
    },
  };
}

/** `count` of the values that pass, after the first `start`. */
function* slice<Value>(
  values: Iterable<Value>,
  passes: (value: Value) => boolean,
  start: number,
  count: number,
): Generator<Value> {
  let place = 0;
  for (const value of values) {
    if (!passes(value)) continue;
    if (place >= start + count) return;
    if (place >= start) yield value;
    place += 1;
  }
}

/** ID of the page that is shown for unknown addresses; 0 = none. */
function notFoundPageOf(memo: ContentCache, rootId: number): number {
  const root = memo.basics(rootId);
  return (root && findNotFoundPage(memo, root)?.id) ?? 0;
}

/** The sitemap of an instance without websites. */
export function emptySitemapText(): string {
  return urlSet('', [], noVersions);
}

const sitemapNamespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function urlSet(origin: string, pages: Iterable<Address>, versionsOfGroup: VersionsOfGroup): string {
  let hasVersions = false;
  let urls = '';
  for (const { path, translation_group, updated_at } of pages) {
    const changed = new Date(updated_at * 1000).toISOString().slice(0, 10);
    const versions = translation_group === '' ? [] : versionsOfGroup(translation_group);
    hasVersions ||= versions.length > 0;
    const links = versions.map(versionLink).join('');
    urls += `<url><loc>${escapeHtml(origin + path)}</loc><lastmod>${changed}</lastmod>${links}</url>\n`;
  }
  const namespace = hasVersions ? ' xmlns:xhtml="http://www.w3.org/1999/xhtml"' : '';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${sitemapNamespace}"${namespace}>\n${urls}</urlset>\n`;
}

function versionLink({ lang, url }: Alternate): string {
  return `<xhtml:link rel="alternate" hreflang="${escapeHtml(lang)}" href="${escapeHtml(url)}"/>`;
}

function index(origin: string, parts: number): string {
  let xml = `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="${sitemapNamespace}">\n`;
  for (let part = 1; part <= parts; part += 1) {
    xml += `<sitemap><loc>${escapeHtml(`${origin}/sitemap-${part}.xml`)}</loc></sitemap>\n`;
  }
  return `${xml}</sitemapindex>\n`;
}
