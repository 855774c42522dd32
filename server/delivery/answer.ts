import type { EncodedBody } from '../../runtime/tasks/encode.ts';
import type { PublicResponse } from '../http/public.ts';
import type { HeaderScope } from '../http/security-headers.ts';
import { matchesTag } from './negotiate.ts';

export type HeaderList = PublicResponse['headers'];

/**
 * One body in every form that a request may ask for. A form is made when it is asked for and then kept, so that
 * answering is only a choice, and most entries of the page cache have one form. The two encodings are different
 * bytes and therefore have different strong entity tags.
 */
export class Answer {
  readonly #body: EncodedBody;
  readonly #headers: HeaderList;
  readonly #scope: HeaderScope;
  readonly #forms: { [Form in FormName]?: PublicResponse } = {};

  /** @param headers headers of the 200 answer, without ETag, Vary and Content-Encoding */
  constructor(body: EncodedBody, headers: HeaderList, scope: HeaderScope = 'all') {
    this.#body = body;
    this.#headers = headers;
    this.#scope = scope;
  }

  /** The form of the answer that a request asks for. */
  form(gzip: boolean, ifNoneMatch: string): PublicResponse {
    const isGzip = gzip && this.#body.gzip !== undefined;
    const isKnown = ifNoneMatch !== '' && matchesTag(ifNoneMatch, this.#tag(false), this.#tag(true));
    const name = isKnown ? (isGzip ? 'gzipNotModified' : 'notModified') : isGzip ? 'gzip' : 'identity';
    let form = this.#forms[name];
    if (form === undefined) {
      form = isKnown ? this.#notModified(isGzip) : this.#success(isGzip);
      this.#forms[name] = form;
    }
    return form;
  }

  #success(isGzip: boolean): PublicResponse {
    const { identity, gzip } = this.#body;
    const encoding = isGzip ? [contentEncoding] : [];
    return {
      status: '200 OK',
      scope: this.#scope,
      headers: [...this.#headers, ...encoding, ['ETag', this.#tag(isGzip)], vary],
      body: isGzip ? gzip : identity,
    };
  }

  #notModified(isGzip: boolean): PublicResponse {
    const kept = this.#headers.filter(([name]) => name !== 'Content-Type');
    return {
      status: '304 Not Modified',
      scope: this.#scope,
      headers: [...kept, ['ETag', this.#tag(isGzip)], vary],
      body: undefined,
    };
  }

  /** Without a compressed form both tags are the same. */
  #tag(isGzip: boolean): string {
    const { tag, gzip } = this.#body;
    return isGzip && gzip !== undefined ? `"${tag}-gzip"` : `"${tag}"`;
  }
}

type FormName = 'identity' | 'gzip' | 'notModified' | 'gzipNotModified';

const vary = ['Vary', 'Accept-Encoding'] as const;
const contentEncoding = ['Content-Encoding', 'gzip'] as const;

/** A page that ignores If-None-Match, such as a 404 page. */
export function plainPage(
  status: string,
  body: EncodedBody,
  gzip: boolean,
  headers: HeaderList,
): PublicResponse {
  if (gzip && body.gzip !== undefined) {
    return {
      status,
      scope: 'site',
      headers: [...headers, contentEncoding, vary],
      body: body.gzip,
    };
  }
  return { status, scope: 'site', headers: [...headers, vary], body: body.identity };
}

export function bodyBytes(body: EncodedBody): number {
  return body.identity.byteLength + (body.gzip?.byteLength ?? 0);
}
