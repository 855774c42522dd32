/** The names of exported files. A name is a relative path with `/`; no name leaves the folder it is unpacked in. */
import { type MediaAddress, readAddress } from '../files/media-address.ts';
import { parsePath } from '../page/route.ts';

/** Longest name of one file or folder that common file systems take, in bytes. */
const maxSegmentBytes = 255;
const maxNameBytes = 4000;

/** Endings of paths that name a file by themselves; `/v1.2` is a page. */
const fileEnding =
  /\.(?:html?|xhtml|xml|rss|atom|txt|md|json|jsonld|geojson|webmanifest|css|js|mjs|csv|tsv|ics|vcf|svg|kml|gpx|pdf)$/i;

/**
 * The file of a page: `/visit` is `visit/index.html`, `/feed.xml` stays a file (Core, GET /sites/{id}/static).
 * Undefined for a path that cannot be a file everywhere: unusual segments, names of drives, too long.
 *
 * @param path with escapes, as in addresses
 */
export function fileOfPage(path: string): string | undefined {
  const segments = parsePath(path)?.segments;
  if (segments === undefined || !segments.every(isFileName) || /^[a-z]:/i.test(segments[0] ?? ''))
    return undefined;
  const name = segments.join('/');
  if (Buffer.byteLength(name) > maxNameBytes) return undefined;
  if (name === '') return 'index.html';
  return fileEnding.test(name) ? name : `${name}/index.html`;
}

/** Whether pages below this path would need a folder where its own file lies. */
export function isFilePath(path: string): boolean {
  return fileEnding.test(path);
}

/** `parsePath` has refused slashes, backslashes, control characters and dots already. */
function isFileName(segment: string): boolean {
  return Buffer.byteLength(segment) <= maxSegmentBytes;
}

/**
 * The file of an address below /media/. A file server ignores queries, so a variant gets a name of its own:
 * `/media/a.jpg?w=640` is `media/a.w640.jpg`. Files of the library have one dot, so no name is given twice.
 * Undefined for an address that no file can have.
 */
export function fileOfMedia(address: string): string | undefined {
  const [path = '', query = ''] = address.split('?', 2);
  const asked = readAddress({ path, query });
  return asked === undefined ? undefined : `media/${variantName(asked)}`;
}

function variantName({ path, format, width, crop }: MediaAddress): string {
  const dot = path.lastIndexOf('.');
  const [stem, extension] = [path.slice(0, dot), path.slice(dot + 1)];
  const size =
    crop !== undefined ? `.t${crop.width}x${crop.height}` : width === undefined ? '' : `.w${width}`;
  const isOther = crop === undefined && format !== undefined && format !== extension && extension !== 'svg';
  return isOther ? `${path}${size}.${format}` : `${stem}${size}.${extension}`;
}

/** The address of one file from another, such as `../media/a.jpg`. */
export function relativeAddress(from: string, to: string): string {
  const here = from.split('/').slice(0, -1);
  const there = to.split('/');
  let common = 0;
  while (common < here.length && common < there.length - 1 && here[common] === there[common]) common += 1;
  const up = here.slice(common).map(() => '..');
  return [...up, ...there.slice(common)].join('/');
}
