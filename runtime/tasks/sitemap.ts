import { gunzipSync } from 'node:zlib';
import type { ContentMemo } from '../content/memo.ts';
import type { PageSummary } from '../content/reader.ts';
import type { SiteHost } from '../content/site-host.ts';
import { type Alternate, alternatesOf } from '../page/alternates.ts';
import { findNotFoundPage } from '../page/not-found.ts';
import { escapeHtml } from '../values/escape.ts';
import type { TaskContext } from './context.ts';
import { compress, tagOf } from './encode.ts';
import type { SitemapCopy, SitemapCopyTask, SitemapFile, SitemapResult, SitemapTask } from './messages.ts';

/** Most addresses of one file, by the sitemap protocol and Core, "Limits". */
export const addressesPerFile = 50_000;

/** Stands for the host in the sitemap of a website without domains. No address contains this character. */
const hostPlaceholder = '\u0000';

/** `/sitemap.xml` and its parts (Core, "Public non-API routes"). */
export async function sitemapTask(context: TaskContext, task: SitemapTask): Promise<SitemapResult> {
  const { value, reads } = await context.onSnapshot(0, () => {
    const site = task.site.fromRequest ? { ...task.site, host: hostPlaceholder } : task.site;
    const origin = `${context.tools.scheme}://${site.host}`;
    const pages = listedPages(context.memo, site.siteId);
    const text = sitemapText(origin, pages, task.part, versionsOf(context, site, pages));
    return { partCount: partCountOf(pages), file: text === undefined ? undefined : fileOf(text) };
  });
  return { reads, ...value };
}

function fileOf(text: string): SitemapFile {
  const bytes = new TextEncoder().encode(text);
  return { gzip: compress(bytes), tag: tagOf(bytes) };
}

/** The text of a compressed sitemap, with the host of the request. */
export async function sitemapCopyTask(task: SitemapCopyTask): Promise<SitemapCopy> {
  const plain = gunzipSync(task.file);
  const text = new Uint8Array(task.host === undefined ? plain : withHost(plain, task.host));
  return { text, gzip: task.compress ? compress(text) : undefined };
}

/** Reads the bytes as single characters, because decoding UTF-8 would take longer and change nothing. */
function withHost(bytes: Buffer, host: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(hostPlaceholder, host), 'latin1');
}

/** The text of one file; undefined for parts that do not exist. */
export function sitemapText(
  origin: string,
  pages: readonly PageSummary[],
  part: number,
  versions: Versions = noVersions,
): string | undefined {
  const partCount = partCountOf(pages);
  if (part > partCount) return undefined;
  if (partCount === 0) return urlSet(origin, pages, versions);
  if (part === 0) return index(origin, partCount);
  const ofPart = pages.slice((part - 1) * addressesPerFile, part * addressesPerFile);
  return urlSet(origin, ofPart, versions);
}

/** How many numbered files there are besides the index; 0 if all addresses fit into one file. */
function partCountOf(pages: readonly PageSummary[]): number {
  return pages.length <= addressesPerFile ? 0 : Math.ceil(pages.length / addressesPerFile);
}

/** Language versions by translation group. */
type Versions = ReadonlyMap<string, readonly Alternate[]>;
const noVersions: Versions = new Map();

function versionsOf({ memo, tools }: TaskContext, site: SiteHost, pages: readonly PageSummary[]): Versions {
  if (pages.every((page) => page.translation_group === '')) return noVersions;
  const groups = Map.groupBy(memo.versionsOfSite(site.siteId), (version) => version.translation_group);
  const origins = { site, scheme: tools.scheme, root: (id: number) => memo.basics(id) };
  return new Map([...groups].map(([group, members]) => [group, alternatesOf(members, origins)]));
}

function listedPages(memo: ContentMemo, rootId: number): readonly PageSummary[] {
  const root = memo.basics(rootId);
  const notFoundId = root && findNotFoundPage(memo, root)?.id;
  return memo
    .pagesOfSite(rootId)
    .filter((page) => page.published && !page.sitemap_exclude && !page.noindex && page.id !== notFoundId);
}

const sitemapNamespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function urlSet(origin: string, pages: readonly PageSummary[], versions: Versions): string {
  const namespace = versions.size === 0 ? '' : ` xmlns:xhtml="http://www.w3.org/1999/xhtml"`;
  let xml = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${sitemapNamespace}"${namespace}>\n`;
  for (const page of pages) {
    const changed = new Date(page.updated_at * 1000).toISOString().slice(0, 10);
    const links = (versions.get(page.translation_group) ?? []).map(versionLink).join('');
    xml += `<url><loc>${escapeHtml(origin + page.path)}</loc><lastmod>${changed}</lastmod>${links}</url>\n`;
  }
  return `${xml}</urlset>\n`;
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
