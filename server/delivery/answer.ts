import type { EncodedBody, Encoding } from '../../runtime/tasks/encode.ts';
import type { PublicResponse } from '../http/public.ts';
import type { SharedAnswer } from '../http/sharing.ts';
import type { AnswerBody } from './answer-body.ts';

export type HeaderList = PublicResponse['headers'];

/**
 * One body in every form that a request may ask for. The answer of a form is made when it is asked for and then
 * kept, so that answering is only a choice, and most entries of the page cache have one form.
 */
export class Answer {
  readonly body: AnswerBody;
  readonly headers: HeaderList;
  /** Set if threads of the front may give this answer on their own. */
  readonly shared: SharedAnswer | undefined;
  readonly #page: number | undefined;
  readonly #made: { [Form in FormName]?: PublicResponse } = {};
  readonly #unchanged: { [Form in FormName]?: PublicResponse } = {};

  /** @param headers headers of the 200 answer, without ETag, Vary and Content-Encoding */
  constructor(body: AnswerBody, headers: HeaderList, { shared, page }: AnswerOptions = {}) {
    this.body = body;
    this.headers = headers;
    this.shared = shared;
    this.#page = page;
  }

  /** The form of the answer that a request asks for. @param accepted codings, best first */
  form(accepted: readonly Encoding[], ifNoneMatch: string): PublicResponse {
    const { body } = this;
    const encoding = body.choose(accepted);
    const name = encoding ?? 'identity';
    if (encoding === 'br') body.uses += 1;
    if (ifNoneMatch !== '' && body.isNamedBy(ifNoneMatch)) {
      this.#unchanged[name] ??= this.#notModified(name);
      return this.#unchanged[name];
    }
    const known = this.#made[name];
    // The form may have been replaced by a smaller one.
    if (known !== undefined && known.body === body[name]?.bytes) return known;
    const made = this.#success(name);
    this.#made[name] = made;
    delete this.#unchanged[name];
    return made;
  }

  #success(name: FormName): PublicResponse {
    const form = this.body[name] ?? this.body.identity;
    const coding: HeaderList = name === 'identity' ? [] : [codings[name]];
    return {
      status: '200 OK',
      ...this.#traits(),
      headers: [...this.headers, ...coding, ['ETag', form.tag], vary],
      body: form.bytes,
    };
  }

  #traits(): Pick<PublicResponse, 'scope' | 'shared' | 'viewOf'> {
    return { scope: this.#page === undefined ? 'all' : 'site', shared: this.shared, viewOf: this.#page };
  }

  #notModified(name: FormName): PublicResponse {
    const { tag } = this.body[name] ?? this.body.identity;
    const kept = this.headers.filter(([header]) => header !== 'Content-Type');
    return {
      status: '304 Not Modified',
      ...this.#traits(),
      headers: [...kept, ['ETag', tag], vary],
      body: undefined,
    };
  }
}

interface AnswerOptions {
  /** Set if threads of the front may give this answer on their own. */
  readonly shared?: SharedAnswer | undefined;
  /** The website, if the answer is a page. */
  readonly page?: number;
}

type FormName = Encoding | 'identity';

const vary = ['Vary', 'Accept-Encoding'] as const;
const codings = {
  br: ['Content-Encoding', 'br'],
  gzip: ['Content-Encoding', 'gzip'],
} as const satisfies Record<Encoding, readonly [string, string]>;

/** A page that ignores If-None-Match, such as a 404 page or a preview. */
export function plainPage(
  status: string,
  encoded: EncodedBody,
  accepted: readonly Encoding[],
  headers: HeaderList,
): PublicResponse {
  const encoding = accepted.find((coding) => encoded.encoded[coding] !== undefined);
  const coding: HeaderList = encoding === undefined ? [] : [codings[encoding]];
  return {
    status,
    scope: 'site',
    headers: [...headers, ...coding, vary],
    body: (encoding && encoded.encoded[encoding]) ?? encoded.identity,
  };
}
