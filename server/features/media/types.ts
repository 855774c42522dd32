/** What a file is, told by its content. Its name only chooses among types that its content allows. */
import { fileTypeFromBuffer } from 'file-type';
import type { RasterFormat } from '../../../runtime/images/messages.ts';

export const fileKinds = ['image', 'video', 'audio', 'document', 'font', 'other'] as const;
export type FileKind = (typeof fileKinds)[number];

export interface MediaType {
  readonly mime: string;
  /** Extension for the address, without dot. */
  readonly extension: string;
  readonly kind: FileKind;
  /** Set if variants can be made. */
  readonly format: RasterFormat | '';
}

/** Bytes from the start of a file that are enough to tell its type. */
export const headBytes = 64 * 2 ** 10;

/**
 * @param head the first bytes of the file, at most `headBytes`
 * @param name of the file as it was uploaded
 */
export async function detectType(head: Uint8Array, name: string): Promise<MediaType> {
  const extension = extensionOf(name);
  // The mark before text in UTF-16 looks like the start of MPEG audio of a sort that nobody uploads.
  const isUtf16 = head[0] === 0xff && head[1] === 0xfe;
  const found = isUtf16 ? undefined : await fileTypeFromBuffer(head);
  if (found === undefined || found.mime === 'application/xml') return typeOfText(head, extension);
  const container = containers.get(found.mime)?.get(extension);
  if (container !== undefined) return typeOf(container, extension);
  const usual = addressExtension(found.ext);
  return typeOf(
    found.mime,
    (extensionsOf.get(found.mime) ?? [usual]).includes(extension) ? extension : usual,
  );
}

/** The last part of an extension in lower case, as addresses have it: `z` for `Z`, `gz` for `tar.gz`. */
function addressExtension(extension: string): string {
  return extension.toLowerCase().replace(/^.*\./, '');
}

/** The extension of a name in lower case; empty if it has none that could be one. */
function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,11})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Text has no signature: the extension decides among the types of text, else the first characters do. */
function typeOfText(head: Uint8Array, extension: string): MediaType {
  const text = textIn(head);
  if (text === undefined) return typeOf('application/octet-stream', plainExtension(extension));
  const isSvg = /<svg[\s>]/i.test(text);
  if (isSvg && extension !== 'html' && extension !== 'htm' && !isHtml(text))
    return typeOf('image/svg+xml', 'svg');
  const named = extension === 'svg' ? undefined : textTypes.get(extension);
  if (named !== undefined) return typeOf(named, extension);
  if (/^\s*<\?xml/.test(text)) return typeOf('application/xml', 'xml');
  return isHtml(text) ? typeOf('text/html', 'html') : typeOf('text/plain', 'txt');
}

function isHtml(text: string): boolean {
  return /^\s*(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html|head|body|script|iframe|meta|title)\b/i.test(
    text.slice(0, 4096),
  );
}

/** The start of a file as text; undefined if it is no UTF-8 text. */
function textIn(head: Uint8Array): string | undefined {
  if (head.includes(0)) return undefined;
  try {
    // The last character may be cut in two, unless the file ends here.
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length === headBytes });
  } catch {
    return undefined;
  }
}

/** An extension for bytes of an unknown type: never one that stands for another type. */
function plainExtension(extension: string): string {
  const isTaken = extension === '' || textTypes.has(extension) || imageExtensions.has(extension);
  return isTaken ? 'bin' : extension;
}

function typeOf(mime: string, extension: string): MediaType {
  return { mime, extension, kind: kindOf(mime), format: findFormat(mime) };
}

function kindOf(mime: string): FileKind {
  const [family] = mime.split('/');
  if (family === 'image' || family === 'video' || family === 'audio' || family === 'font') return family;
  return documents.has(mime) || [...containers.values()].some((types) => [...types.values()].includes(mime))
    ? 'document'
    : 'other';
}

/** The format of an image that can have variants, by its type; empty for any other type. */
export function findFormat(mime: string): RasterFormat | '' {
  return formats.get(mime) ?? '';
}

const formats: ReadonlyMap<string, RasterFormat> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['image/gif', 'gif'],
  ['image/avif', 'avif'],
]);
const imageExtensions: ReadonlySet<string> = new Set([
  'svg',
  'jpg',
  'jpeg',
  'png',
  'webp',
  'gif',
  'avif',
  'ico',
  'bmp',
  'tif',
  'tiff',
]);

/** Extensions that name the same type as the usual one. */
const extensionsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['image/jpeg', ['jpg', 'jpeg']],
  ['image/tiff', ['tif', 'tiff']],
  ['video/mp4', ['mp4', 'm4v']],
  ['video/quicktime', ['mov', 'qt']],
  ['audio/mpeg', ['mp3', 'mpga']],
  ['audio/ogg', ['ogg', 'oga', 'opus']],
  ['audio/mp4', ['m4a']],
  ['audio/x-m4a', ['m4a']],
]);

const textTypes: ReadonlyMap<string, string> = new Map([
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['tsv', 'text/tab-separated-values'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['xhtml', 'application/xhtml+xml'],
  ['xml', 'application/xml'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['mjs', 'text/javascript'],
  ['json', 'application/json'],
  ['geojson', 'application/geo+json'],
  ['webmanifest', 'application/manifest+json'],
  ['vtt', 'text/vtt'],
  ['srt', 'application/x-subrip'],
  ['ics', 'text/calendar'],
  ['vcf', 'text/vcard'],
  ['gpx', 'application/gpx+xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
]);

/** Documents that are archives of one sort, by extension. */
const containers: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    'application/zip',
    new Map([
      ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
      ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
      ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
      ['odt', 'application/vnd.oasis.opendocument.text'],
      ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
      ['odp', 'application/vnd.oasis.opendocument.presentation'],
      ['epub', 'application/epub+zip'],
    ]),
  ],
  [
    'application/x-cfb',
    new Map([
      ['doc', 'application/msword'],
      ['xls', 'application/vnd.ms-excel'],
      ['ppt', 'application/vnd.ms-powerpoint'],
    ]),
  ],
]);

const documents: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/rtf',
  'application/json',
  'application/geo+json',
  'application/xml',
  'application/gpx+xml',
  'application/yaml',
  'text/plain',
  'text/markdown',
  'text/csv',
  'text/tab-separated-values',
  'text/html',
  'application/xhtml+xml',
  'text/calendar',
  'text/vcard',
  'text/rtf',
]);
