import type { Encoding } from '../../../runtime/tasks/encode.ts';
import type { PublicResponse } from '../public-exchange.ts';
import type { SharedResponse } from '../shared-responses.ts';
import type { CachedBody, Representation } from './cached-body.ts';

export type HeaderList = PublicResponse['headers'];

/**
 * One body in every coding that a request may ask for. The 200 and the 304 of a representation are made when they are
 * asked for and then kept, so that answering is only a choice, and most cached responses have one representation.
 */
export class CachedResponse {
  readonly body: CachedBody;
  readonly headers: HeaderList;
  /** Set if threads of the front may give this response on their own. */
  readonly shared: SharedResponse | undefined;
  readonly #siteId: number | undefined;
  #br: PreparedResponses | undefined;
  #gzip: PreparedResponses | undefined;
  #identity: PreparedResponses | undefined;

  /** @param headers headers of the 200, without ETag, Vary and Content-Encoding */
  constructor(body: CachedBody, headers: HeaderList, { shared, pageOf }: CachedResponseOptions = {}) {
    this.body = body;
    this.headers = headers;
    this.shared = shared;
    this.#siteId = pageOf;
  }

  /** The response that a request asks for. @param accepted codings, best first */
  respond(accepted: readonly Encoding[], ifNoneMatch: string): PublicResponse {
    const { body } = this;
    const encoding = body.chooseEncoding(accepted);
    if (encoding === 'br') body.brotliUses += 1;
    const prepared = this.#findPrepared(encoding);
    if (ifNoneMatch !== '' && body.isNamedBy(ifNoneMatch)) {
      prepared.unchanged ??= this.#createUnchanged(prepared.representation);
      return prepared.unchanged;
    }
    prepared.success ??= this.#createSuccess(encoding, prepared.representation);
    return prepared.success;
  }

  /** Fields and no table: V8 finds a property by name faster than by one of several names in a variable. */
  #findPrepared(encoding: Encoding | undefined): PreparedResponses {
    const representation = this.body.findRepresentation(encoding) ?? this.body.identity;
    const existing = encoding === 'br' ? this.#br : encoding === 'gzip' ? this.#gzip : this.#identity;
    // The representation may have been replaced by a smaller one.
    if (existing?.representation === representation) return existing;
    const prepared: PreparedResponses = { representation, success: undefined, unchanged: undefined };
    if (encoding === 'br') this.#br = prepared;
    else if (encoding === 'gzip') this.#gzip = prepared;
    else this.#identity = prepared;
    return prepared;
  }

  #createSuccess(encoding: Encoding | undefined, { bytes, tag }: Representation): PublicResponse {
    return {
      status: '200 OK',
      ...this.#traits(),
      headers: [...this.headers, ...contentEncoding(encoding), ['ETag', tag], varyByEncoding],
      body: bytes,
    };
  }

  #createUnchanged({ tag }: Representation): PublicResponse {
    return {
      status: '304 Not Modified',
      ...this.#traits(),
      headers: [...withoutContentType(this.headers), ['ETag', tag], varyByEncoding],
      body: undefined,
    };
  }

  #traits(): Pick<PublicResponse, 'scope' | 'shared' | 'viewOf'> {
    return { scope: this.#siteId === undefined ? 'all' : 'site', shared: this.shared, viewOf: this.#siteId };
  }
}

/** The responses that were made with a representation. */
interface PreparedResponses {
  readonly representation: Representation;
  success: PublicResponse | undefined;
  unchanged: PublicResponse | undefined;
}

interface CachedResponseOptions {
  /** Set if threads of the front may give this response on their own. */
  readonly shared?: SharedResponse | undefined;
  /** The website, if the response is a page. */
  readonly pageOf?: number;
}

export const varyByEncoding = ['Vary', 'Accept-Encoding'] as const;

export function contentEncoding(encoding: Encoding | undefined): HeaderList {
  return encoding === undefined ? noHeaders : contentEncodings[encoding];
}

export function withoutContentType(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => name !== 'Content-Type');
}

const noHeaders: HeaderList = [];
const contentEncodings: Readonly<Record<Encoding, HeaderList>> = {
  br: [['Content-Encoding', 'br']],
  gzip: [['Content-Encoding', 'gzip']],
};
