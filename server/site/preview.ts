import type { PreviewScope } from '../../runtime/page/route.ts';
import type { PublicRequest } from '../http/public.ts';
import type { HeaderList } from './answer.ts';

/** What a visitor who asks for a preview has to show for it. */
export type PreviewQuestion =
  /** A session cookie of an administrator. */
  | {
      readonly kind: 'session';
      readonly cookieHeader: string;
      readonly host: string;
      /** `?preview=1` */
      readonly drafts: boolean;
      /** The website to show on a host without one, from `?_site=` or from the cookie that remembers it. */
      readonly siteId: number | undefined;
      /** Whether it comes from the address, and is to be remembered. */
      readonly remember: boolean;
    }
  /** `?ic_preview=`: the token of a preview link. */
  | { readonly kind: 'link'; readonly token: string };

/** Which drafts a visitor may see; none if what he shows opens nothing. */
export type FindPreviewScope = (question: PreviewQuestion) => Promise<PreviewScope | undefined>;

/**
 * Whether a request asks for what other visitors do not get (Core, "Public non-API routes"; open points 5, preview
 * links).
 *
 * @param mayChoose whether the host may be one that no website lists
 */
export function previewQuestion(request: PublicRequest, mayChoose: boolean): PreviewQuestion | undefined {
  const cookieHeader = request.header('cookie');
  const query = new URLSearchParams(request.query);
  const drafts = query.get('preview') === '1';
  const asked = mayChoose ? siteIdIn(query.get('_site') ?? '') : undefined;
  const siteId = asked ?? (mayChoose ? rememberedSite(cookieHeader) : undefined);
  if (cookieHeader !== '' && (drafts || siteId !== undefined)) {
    const remember = asked !== undefined;
    return { kind: 'session', cookieHeader, host: request.host, drafts, siteId, remember };
  }
  const token = query.get('ic_preview');
  return token === null || token === '' ? undefined : { kind: 'link', token };
}

/** The website in the cookie `ic_site`. */
export function rememberedSite(cookieHeader: string): number | undefined {
  if (!cookieHeader.includes('ic_site=')) return undefined;
  return siteIdIn(/(?:^|;)\s*ic_site=([^;\s]*)/.exec(cookieHeader)?.[1] ?? '');
}

/** `Set-Cookie` that remembers a website until the browser is closed. */
export function siteCookie(siteId: number, secure: boolean): readonly [string, string] {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return ['Set-Cookie', `ic_site=${siteId}; ${attributes}`];
}

function siteIdIn(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
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
