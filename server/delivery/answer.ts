import type { EncodedBody, Encoding } from '../../runtime/tasks/encode.ts';
import type { PublicResponse } from '../http/public-exchange.ts';
import type { SharedAnswer } from '../http/sharing.ts';
import type { AnswerBody, Form } from './answer-body.ts';

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
  #br: FormAnswers | undefined;
  #gzip: FormAnswers | undefined;
  #identity: FormAnswers | undefined;

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
    if (encoding === 'br') body.uses += 1;
    const made = this.#answersOf(encoding);
    if (ifNoneMatch !== '' && body.isNamedBy(ifNoneMatch)) {
      made.unchanged ??= this.#notModified(made.form.tag);
      return made.unchanged;
    }
    made.success ??= this.#success(encoding, made.form);
    return made.success;
  }

  /** Fields and no table: V8 finds a property by name faster than by one of several names in a variable. */
  #answersOf(encoding: Encoding | undefined): FormAnswers {
    const form = this.body.form(encoding) ?? this.body.identity;
    const known = encoding === 'br' ? this.#br : encoding === 'gzip' ? this.#gzip : this.#identity;
    // The form may have been replaced by a smaller one.
    if (known?.form === form) return known;
    const made: FormAnswers = { form, success: undefined, unchanged: undefined };
    if (encoding === 'br') this.#br = made;
    else if (encoding === 'gzip') this.#gzip = made;
    else this.#identity = made;
    return made;
  }

  #success(encoding: Encoding | undefined, { bytes, tag }: Form): PublicResponse {
    const coding: HeaderList = encoding === undefined ? [] : [codings[encoding]];
    return {
      status: '200 OK',
      ...this.#traits(),
      headers: [...this.headers, ...coding, ['ETag', tag], vary],
      body: bytes,
    };
  }

  #traits(): Pick<PublicResponse, 'scope' | 'shared' | 'viewOf'> {
    return { scope: this.#page === undefined ? 'all' : 'site', shared: this.shared, viewOf: this.#page };
  }

  #notModified(tag: string): PublicResponse {
    const kept = this.headers.filter(([header]) => header !== 'Content-Type');
    return {
      status: '304 Not Modified',
      ...this.#traits(),
      headers: [...kept, ['ETag', tag], vary],
      body: undefined,
    };
  }
}

/** The answers that were made with a form. */
interface FormAnswers {
  readonly form: Form;
  success: PublicResponse | undefined;
  unchanged: PublicResponse | undefined;
}

interface AnswerOptions {
  /** Set if threads of the front may give this answer on their own. */
  readonly shared?: SharedAnswer | undefined;
  /** The website, if the answer is a page. */
  readonly page?: number;
}

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
