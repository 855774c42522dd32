/** What an address is, as far as its ending tells. */
import { type ResourceKind, resourceKinds } from './messages.ts';

const extensions: Readonly<Record<ResourceKind, readonly string[]>> = {
  css: ['css'],
  js: ['js', 'mjs'],
  img: ['jpg', 'jpeg', 'jpe', 'png', 'gif', 'webp', 'avif', 'svg', 'ico', 'bmp', 'tif', 'tiff', 'jfif'],
  font: ['woff', 'woff2', 'ttf', 'otf', 'eot'],
  file: [
    ...['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods', 'odp', 'rtf', 'epub', 'txt', 'csv'],
    ...[
      'zip',
      'gz',
      'tgz',
      'tar',
      '7z',
      'rar',
      'dmg',
      'exe',
      'apk',
      'ics',
      'vcf',
      'gpx',
      'kml',
      'vtt',
      'srt',
    ],
    ...['mp4', 'm4v', 'webm', 'ogv', 'mov', 'avi', 'mp3', 'm4a', 'ogg', 'oga', 'opus', 'wav', 'flac', 'aac'],
    ...['webmanifest', 'json', 'geojson'],
  ],
};

const kinds: ReadonlyMap<string, ResourceKind> = new Map(
  resourceKinds.flatMap((kind) => extensions[kind].map((name) => [name, kind] as const)),
);

/** Undefined if the ending says nothing. */
export function findResourceKind({ pathname }: URL): ResourceKind | undefined {
  const [, extension = ''] = /\.([a-z0-9]{1,11})$/i.exec(pathname) ?? [];
  return kinds.get(extension.toLowerCase());
}

/** For the target of a link: the kind of a document that is taken over, undefined for a page. */
export function linkedKind(url: URL): ResourceKind | undefined {
  const kind = findResourceKind(url);
  return kind === 'css' || kind === 'js' ? 'file' : kind;
}
