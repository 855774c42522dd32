import type { PreviewScope } from '../../runtime/page/route.ts';
import type { PublicRequest } from '../http/public.ts';
import type { HeaderList } from './answer.ts';

/** What a visitor who asks for a preview has to show for it. */
export type PreviewQuestion =
  /** `?preview=1`: a session cookie of an administrator. */
  | { readonly kind: 'session'; readonly cookieHeader: string; readonly host: string }
  /** `?ic_preview=`: the token of a preview link. */
  | { readonly kind: 'link'; readonly token: string };

/** Which drafts a visitor may see; none if what he shows opens nothing. */
export type FindPreviewScope = (question: PreviewQuestion) => Promise<PreviewScope | undefined>;

/** Whether a request asks for a preview (Core, "Public non-API routes"; open points 5, preview links). */
export function previewQuestion(request: PublicRequest): PreviewQuestion | undefined {
  if (!request.query.includes('preview=')) return undefined;
  const query = new URLSearchParams(request.query);
  if (query.get('preview') === '1') {
    const cookieHeader = request.header('cookie');
    if (cookieHeader !== '') return { kind: 'session', cookieHeader, host: request.host };
  }
  const token = query.get('ic_preview');
  return token === null || token === '' ? undefined : { kind: 'link', token };
}

/**
 * The headers of an answer for one person: it must not stay anywhere, nor may its address, which can hold a token,
 * be told to others.
 */
export function privateHeaders(headers: HeaderList): HeaderList {
  return [...headers.filter(([name]) => !PRIVATE_NAMES.has(name)), ...PRIVATE_HEADERS];
}

const PRIVATE_HEADERS: HeaderList = [
  ['Cache-Control', 'private, no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Robots-Tag', 'noindex, nofollow'],
];
const PRIVATE_NAMES: ReadonlySet<string> = new Set(PRIVATE_HEADERS.map(([name]) => name));
