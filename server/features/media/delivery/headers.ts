import type { PublicResponse } from '../../../http/public-exchange.ts';
import { formatHttpDate, type Validators } from '../../../http/responses/conditions.ts';
import type { StoredFile } from '../model.ts';

type HeaderList = PublicResponse['headers'];

/** How long browsers keep what. */
export type Visibility = 'public' | 'private';

/** The headers of a response with bytes of a file. */
export function mediaHeaders(
  { mime, name }: Pick<StoredFile, 'mime' | 'name'>,
  { tag, modifiedAt }: Validators,
  visibility: Visibility,
): HeaderList {
  return [
    ['Content-Type', contentType(mime)],
    ...(visibility === 'public' ? publicHeaders : privateHeaders),
    ['ETag', tag],
    ['Last-Modified', formatHttpDate(modifiedAt)],
    ['Accept-Ranges', 'bytes'],
    ['Access-Control-Allow-Origin', '*'],
    ...(isMarkup(mime) ? [['Content-Security-Policy', sandbox] as const] : []),
    ...(downloaded.has(mime) ? [['Content-Disposition', attachment(name)] as const] : []),
  ];
}

/** A type of text names its encoding: everything that is told to be text is UTF-8. */
function contentType(mime: string): string {
  return /^text\/|^application\/(?:json|xml|xhtml\+xml|geo\+json|yaml)$|^image\/svg\+xml$/.test(mime)
    ? `${mime}; charset=utf-8`
    : mime;
}

const publicHeaders: HeaderList = [['Cache-Control', 'max-age=86400']];

const privateHeaders: HeaderList = [
  ['Cache-Control', 'private, no-store'],
  ['X-Robots-Tag', 'noindex'],
  ['Referrer-Policy', 'no-referrer'],
];

/** Nothing is loaded, nothing runs, and the document has no origin. */
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

function isMarkup(mime: string): boolean {
  return mime === 'text/html' || /[/+]xml|^(?:multipart|message)\//.test(mime);
}

/** Types that a browser would execute as a document or script of this origin. An SVG is an image of its page. */
const downloaded: ReadonlySet<string> = new Set([
  'text/html',
  'application/xhtml+xml',
  'application/xml',
  'text/javascript',
]);

/** The name in ASCII for old clients, and whole (RFC 6266, RFC 8187). */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^ -~]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
