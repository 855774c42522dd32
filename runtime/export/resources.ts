/**
 * Addresses of media and assets in texts of any language. They are found by their form, wherever they stand: in
 * attributes, style sheets, scripts and data. An address on another host, or one that is a part of a longer path, is
 * left alone.
 */

import { LRUCache } from 'lru-cache';
import type { ExportFindings } from './export-findings.ts';
import { fileOfMedia, relativeAddress } from './files.ts';
import { computePathPrefix, type ExportedSite } from './site.ts';

/** Where a text stands. */
export interface Place {
  /** Path of the page, or of the page that a found link is reported with. */
  readonly path: string;
  /** The file that relative addresses start from; undefined if the text is used in several places. */
  readonly file: string | undefined;
}

const resource =
  /\/(?:media\/[a-z0-9_.-]{1,220}|_assets\/(?:css|js)\/[1-9]\d{0,15}\.(?:css|js))(?:\?[^\s"'<>()#\\,]{1,500})?/g;

/** The text with the addresses that its media and assets have in the export; `found` gets them. */
export function exportResources(
  text: string,
  site: ExportedSite,
  place: Place,
  found: ExportFindings,
): string {
  if (!text.includes('/media/') && !text.includes('/_assets/')) return text;
  const origins = [...site.hosts, ...(site.base === undefined ? [] : [site.base])].map((host) => `//${host}`);
  return text.replaceAll(resource, (whole: string, offset: number) => {
    const lead = leadOf(text, offset, origins);
    if (lead === undefined) return whole;
    const address = noted(whole, found);
    return lead === 'root' ? staticAddress(site, place, address) : address;
  });
}

/** The address of an exported file, or of anything else on the website, for a text in this place. */
export function staticAddress(site: ExportedSite, { file }: Place, address: string): string {
  if (site.links !== 'relative' || file === undefined) return computePathPrefix(site) + address;
  const [, target = '', more = ''] = /^\/([^?#]*)(.*)$/s.exec(address) ?? [];
  return relativeAddress(file, target) + more;
}

/** Notes a resource; returns the address of its file. */
function noted(address: string, found: ExportFindings): string {
  const [path = ''] = address.split('?', 1);
  if (!path.startsWith('/media/')) {
    found.assets.add(path.slice('/_assets/'.length, path.lastIndexOf('.')));
    return address;
  }
  const { file, asked } = mediaOf(address);
  if (file === undefined) return address;
  found.media.set(file, asked);
  return `/${file}` === path ? address : `/${file}`;
}

interface NamedMedia {
  /** Name of the exported file; undefined if no file can have the address. */
  readonly file: string | undefined;
  /** The address without character references. */
  readonly asked: string;
}

/** Many pages have the same images. */
const knownMedia = new LRUCache<string, NamedMedia>({ max: 2_000 });

/** Longest address that is remembered, in characters: an author may write one of megabytes. */
const maxRemembered = 500;

function mediaOf(address: string): NamedMedia {
  const known = knownMedia.get(address);
  if (known !== undefined) return known;
  if (address.length > maxRemembered) return nameMedia(address);
  // A copy, because a part of a text keeps the whole text in memory.
  const key = Buffer.from(address).toString();
  const media = nameMedia(key);
  knownMedia.set(key, media);
  return media;
}

function nameMedia(address: string): NamedMedia {
  const [path = '', query = ''] = address.split('?', 2);
  const asked = query === '' ? path : `${path}?${query.replaceAll('&amp;', '&')}`;
  return { file: fileOfMedia(asked), asked };
}

/** What an address from `/` on can begin behind. */
const beforeRoot = /[\s"'(=,>;`[{|]/;

/**
 * What stands before an address: nothing that belongs to it (`root`), the origin of the website (`origin`), or steps
 * up as in `../media/a.jpg` (`steps`). Undefined: the address is a part of another one.
 */
function leadOf(
  text: string,
  offset: number,
  origins: readonly string[],
): 'root' | 'origin' | 'steps' | undefined {
  if (offset === 0 || beforeRoot.test(text.charAt(offset - 1))) return 'root';
  const before = text.slice(Math.max(0, offset - 300), offset);
  if (origins.some((origin) => before.endsWith(origin))) return 'origin';
  return /(?:^|[\s"'(=,])(?:\.\.?\/)*\.\.?$/.test(before) ? 'steps' : undefined;
}
