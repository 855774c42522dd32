/** Sitemaps (sitemaps.org) as XML, as plain text, compressed or not. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import type { ReadSitemapTask, SitemapFacts } from './messages.ts';

/** Largest sitemap in bytes after decompression; the protocol allows 50 MB. */
const maxBytes = 50 * 2 ** 20;

/** @throws Error if the text is no sitemap */
export function readSitemap({ file, limit }: ReadSitemapTask): SitemapFacts {
  const bytes = readFileSync(file);
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = (isCompressed ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  return text.startsWith('<') ? fromXml(text, limit) : fromLines(text, limit);
}

function fromXml(text: string, limit: number): SitemapFacts {
  // A sitemap needs no document type, and entities are what bombs are made of.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text.slice(0, 100_000))) throw new Error('it has a document type');
  const parser = new XMLParser({
    ignoreAttributes: true,
    parseTagValue: false,
    removeNSPrefix: true,
    isArray: (name) => name === 'url' || name === 'sitemap' || name === 'loc',
  });
  const root: unknown = parser.parse(text);
  const urlset = isRecord(root) ? root['urlset'] : undefined;
  const index = isRecord(root) ? root['sitemapindex'] : undefined;
  if (urlset === undefined && index === undefined) throw new Error('it is no sitemap');
  return { pages: locationsIn(urlset, 'url', limit), sitemaps: locationsIn(index, 'sitemap', limit) };
}

function locationsIn(parent: unknown, name: 'url' | 'sitemap', limit: number): string[] {
  const entries = isRecord(parent) ? parent[name] : undefined;
  if (!Array.isArray(entries)) return [];
  const locations = entries.flatMap((entry: unknown) => {
    const loc: unknown = isRecord(entry) ? entry['loc'] : undefined;
    const [first]: unknown[] = Array.isArray(loc) ? loc : [];
    return typeof first === 'string' && first.trim() !== '' ? [first.trim()] : [];
  });
  return locations.slice(0, limit);
}

/** One address in each line. */
function fromLines(text: string, limit: number): SitemapFacts {
  const lines = text.split(/\s*\n\s*/).filter((line) => line !== '');
  if (!lines.every((line) => /^https?:\/\/\S+$/i.test(line))) throw new Error('it is no sitemap');
  return { pages: lines.slice(0, limit), sitemaps: [] };
}

/** Whether a value is an object with fields. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
