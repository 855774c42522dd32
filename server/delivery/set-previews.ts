import type { PageOutcome } from '../../runtime/tasks/messages/delivery.ts';
import type { Log } from '../base/log.ts';
import { reservedNameIn } from '../content/sites/reserved-paths.ts';
import type { PublicHandler, PublicRequest, PublicResponse } from '../http/public-exchange.ts';
import { PoolBusyError } from '../processes/pool.ts';
import {
  busyPage,
  bypassHeaders,
  serverError,
  toPageResponse,
  toUnconditionalPage,
} from './page-responses.ts';
import type { PageDelivery } from './pages.ts';
import { privateHeaders } from './preview.ts';

/** A website with a change set that has not been published. */
export interface SetPreview {
  readonly siteId: number;
  /** Name of the change set. */
  readonly name: string;
  /** Runs work that reads the content with the change set. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Finds what a token shows; undefined if it is not valid, or one of a page. */
export type FindSetPreview = (token: string) => Promise<SetPreview | undefined>;

export interface SetPreviewsDeps {
  readonly findSetPreview: FindSetPreview;
  readonly pages: Pick<PageDelivery, 'renderOverlaid'>;
  /** Answers addresses of CSS and JS. */
  readonly asset: PublicHandler | undefined;
  readonly log: Log;
  /** Whether cookies are for HTTPS only. */
  readonly secureCookies: boolean;
}

const name = 'ic_preview';
/** In place of a token: ends the preview. */
const leave = 'leave';

/** Whether a request may want a preview of a website. */
export function mayPreview({ cookie, query }: PublicRequest): boolean {
  return (cookie !== '' && cookie.includes(`${name}=`)) || (query !== '' && query.includes(`${name}=`));
}

/**
 * Shows a website with a change set, link by link: the address with the token sets a cookie, which lasts until the
 * visitor leaves, closes the browser, or the link ends.
 */
export class SetPreviews {
  readonly #deps: SetPreviewsDeps;

  constructor(deps: SetPreviewsDeps) {
    this.#deps = deps;
  }

  /** @param plain answers the request if it wants no such preview */
  async respond(sent: PublicRequest, plain: PublicHandler): Promise<PublicResponse> {
    const request = copyRequest(sent);
    const asked = new URLSearchParams(request.query).get(name);
    if (asked === leave) return this.#leave(request);
    const token = asked ?? readToken(request.cookie);
    const preview = token === '' ? undefined : await this.#deps.findSetPreview(token);
    if (preview === undefined) return plain(request);
    const reserved = reservedNameIn(request.path);
    if (reserved !== undefined && reserved !== '_assets') return plain(request);
    try {
      const response = await preview.run(() => this.#show(request, preview, reserved === '_assets'));
      const headers = privateHeaders(response.headers);
      const cookies = asked === null ? [] : [this.#cookie(token)];
      return { ...response, headers: [...headers, ...cookies], viewOf: undefined, shared: undefined };
    } catch (error) {
      if (error instanceof PoolBusyError) return busyPage(error);
      this.#deps.log.error({ err: error, path: request.path }, 'a preview could not be rendered');
      return serverError;
    }
  }

  async #show(request: PublicRequest, preview: SetPreview, isAsset: boolean): Promise<PublicResponse> {
    const { pages, asset } = this.#deps;
    if (isAsset && asset !== undefined) return asset(request);
    const outcome = await pages.renderOverlaid(request, preview.siteId);
    if (outcome.kind !== 'page' && outcome.kind !== 'missing')
      return toPageResponse({ outcome, stored: undefined }, [], '');
    const status = outcome.kind === 'page' ? '200 OK' : '404 Not Found';
    const body = addBar(outcome, preview.name, request.header('accept-language'));
    return toUnconditionalPage(
      status,
      { identity: body, encoded: {}, isCompressible: true },
      [],
      bypassHeaders,
    );
  }

  /** The address without the token, and without the cookie. */
  #leave({ path, query }: PublicRequest): PublicResponse {
    const rest = new URLSearchParams(query);
    rest.delete(name);
    const location = rest.size === 0 ? path : `${path}?${rest}`;
    const headers = [['Location', location.replace(/^\/+/, '/')], ...privateHeaders([])] as const;
    return { status: '303 See Other', headers: [...headers, this.#cookie('', '; Max-Age=0')], body: '' };
  }

  #cookie(value: string, more = ''): readonly [string, string] {
    const attributes = `Path=/; HttpOnly; SameSite=Lax${this.#deps.secureCookies ? '; Secure' : ''}`;
    return ['Set-Cookie', `${name}=${value}; ${attributes}${more}`];
  }
}

function readToken(cookie: string): string {
  return /(?:^|;)\s*ic_preview=([\w-]*)/.exec(cookie)?.[1] ?? '';
}

/** The request, whose headers can be read later. */
function copyRequest(request: PublicRequest): PublicRequest {
  const { method, host, scheme, path, query, acceptEncoding, ifNoneMatch, cookie } = request;
  const headers = new Map(
    ['accept-language', 'authorization', 'referer', 'user-agent', 'range', 'if-range'].map((header) => [
      header,
      request.header(header),
    ]),
  );
  const peer = request.peer();
  return {
    ...{ method, host, scheme, path, query, acceptEncoding, ifNoneMatch, cookie },
    header: (header) => headers.get(header) ?? '',
    peer: () => peer,
  };
}

/** The page with a small bar at its end that says what it is, and leads out of the preview. */
function addBar(
  { body }: PageOutcome & { readonly kind: 'page' | 'missing' },
  setName: string,
  languages: string,
): Uint8Array<ArrayBuffer> {
  const html = new TextDecoder().decode(body.identity);
  const end = html.toLowerCase().lastIndexOf('</body>');
  const place = end < 0 ? html.length : end;
  return new TextEncoder().encode(
    `${html.slice(0, place)}${barHtml(setName, languages)}${html.slice(place)}`,
  );
}

function barHtml(setName: string, languages: string): string {
  const isGerman = /^\s*de\b/i.test(languages);
  const [label, link] = isGerman ? ['Vorschau', 'Vorschau verlassen'] : ['Preview', 'Leave preview'];
  const style =
    'all:initial;position:fixed;z-index:2147483647;left:50%;bottom:12px;transform:translateX(-50%);' +
    'padding:8px 14px;border-radius:8px;background:#111;color:#fff;font:14px/1.4 system-ui,sans-serif';
  const linkStyle = 'all:unset;cursor:pointer;text-decoration:underline;margin-left:12px';
  return (
    `<div role="status" data-ic-preview-bar style="${style}">${label}: ${escapeHtml(setName)}` +
    `<a href="?${name}=${leave}" style="${linkStyle}">${link}</a></div>`
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
