import type { RowViews } from '../../runtime/content/overlay.ts';
import type { PreviewScope } from '../../runtime/page/route.ts';
import { findBearer } from '../api/credential.ts';
import type { PublicRequest } from '../http/public-exchange.ts';
import type { HeaderList } from '../http/responses/cached-response.ts';

/** A request for a preview, with the credential that it shows. */
export type PreviewQuestion =
  | SessionQuestion
  /** `?ic_preview=`: the token of a preview link. */
  | { readonly kind: 'link'; readonly token: string };

/** A session cookie of an administrator. */
interface SessionQuestion {
  readonly kind: 'session';
  readonly cookieHeader: string;
  readonly host: string;
  readonly scheme: PublicRequest['scheme'];
  /** `?preview=1` */
  readonly drafts: boolean;
  /** The website to show on a host without one, from `?_site=` or from the cookie that remembers it. */
  readonly siteId: number | undefined;
  /** Whether `siteId` comes from the address, so that a cookie must remember it. */
  readonly remember: boolean;
}

/** What a visitor may see besides published pages. */
export interface PreviewAccess {
  readonly scope: PreviewScope;
  /** The rows that may be shown; undefined if all. */
  readonly views?: RowViews | undefined;
  /** Whom signed addresses in the page end with. */
  readonly opener: string;
}

/** Finds what a visitor may see; undefined if the credential is not valid. */
export type FindPreviewScope = (question: PreviewQuestion) => Promise<PreviewAccess | undefined>;

/**
 * Reads what a request asks for beyond the public page: drafts, another website, or the page of a preview
 * link (Core, "Public non-API routes"). Undefined for all other requests.
 *
 * @param mayChoose whether the host may be one that no website lists
 */
export function previewQuestion(request: PublicRequest, mayChoose: boolean): PreviewQuestion | undefined {
  const cookieHeader = readCookie(request);
  const query = new URLSearchParams(request.query);
  const drafts = ['1', 'true'].includes(query.get('preview') ?? '');
  const asked = mayChoose ? siteIdIn(query.get('_site') ?? '') : undefined;
  const siteId = asked ?? (mayChoose ? rememberedSite(cookieHeader) : undefined);
  if (cookieHeader !== '' && (drafts || siteId !== undefined)) {
    const remember = asked !== undefined;
    const { host, scheme } = request;
    return { kind: 'session', cookieHeader, host, scheme, drafts, siteId, remember };
  }
  const token = query.get('ic_preview');
  return token === null || token === '' ? undefined : { kind: 'link', token };
}

/** The session of a visitor who asks for no preview; a failing page says why to administrators. */
export function sessionQuestion(request: PublicRequest): SessionQuestion | undefined {
  const cookieHeader = readCookie(request);
  return cookieHeader === ''
    ? undefined
    : {
        kind: 'session',
        cookieHeader,
        host: request.host,
        scheme: request.scheme,
        drafts: false,
        siteId: undefined,
        remember: false,
      };
}

/** A bearer header alone counts, and tokens show no previews (Core, "Authentication", rule 3). */
function readCookie(request: PublicRequest): string {
  return findBearer(request.header('authorization')) === undefined ? request.cookie : '';
}

/** The website in the cookie `ic_site`. */
export function rememberedSite(cookieHeader: string): number | undefined {
  if (cookieHeader === '' || !cookieHeader.includes('ic_site=')) return undefined;
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
 * The headers of an answer for one person. The answer must not be stored anywhere. Its address can contain a
 * token, so it must not be sent as a referrer.
 */
export function privateHeaders(headers: HeaderList): HeaderList {
  return [...headers.filter(([name]) => !ownPrivateNames.has(name)), ...ownPrivateHeaders];
}

const ownPrivateHeaders: HeaderList = [
  ['Cache-Control', 'private, no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Robots-Tag', 'noindex, nofollow'],
];
const ownPrivateNames: ReadonlySet<string> = new Set(ownPrivateHeaders.map(([name]) => name));
