/** What a template asks a REST source for. */
export interface SourceRequest {
  readonly slug: string;
  /** Values of its placeholders. */
  readonly params: Readonly<Record<string, string>>;
}

/** The answer of a source: bytes, or why there are none. */
export interface SourceAnswer extends SourceRequest {
  readonly bytes?: Uint8Array;
  readonly error?: string;
  /** Until when it counts, Unix milliseconds; 0 for one that is not kept. */
  readonly expiresAt: number;
}

/** A call of `workflow()`. It runs once in a render, however often it is there. */
export interface WorkflowCall {
  /** ID, name or path of an input. */
  readonly workflow: string;
  /** JSON of an object. */
  readonly payload: string;
}

/** The payload at the end of the run as JSON, or why there is none. */
export interface WorkflowAnswer extends WorkflowCall {
  readonly result?: string;
  readonly error?: string;
}

/** Asks for the detail pages that the sitemap source of a page names. */
export interface SitemapSourceRequest {
  /** The source as the page has it. */
  readonly sitemapSource: unknown;
  /** Asks the source itself, even if its answer is known. */
  readonly isFresh?: boolean;
}

/** An address below a page; `lastmod` in Unix seconds, 0 = unknown. */
export interface SourcedAddress {
  readonly part: string;
  readonly lastmod: number;
}

export interface SitemapSourceAnswer extends SitemapSourceRequest {
  readonly addresses?: readonly SourcedAddress[];
  readonly error?: string;
  /** Until when it counts, Unix milliseconds. */
  readonly expiresAt: number;
}

/** What a task may need that only the server can get, and the answers. */
export type OutsideRequest = SourceRequest | WorkflowCall | SitemapSourceRequest;
export type OutsideAnswer = SourceAnswer | WorkflowAnswer | SitemapSourceAnswer;

/** The rendered page needs answers of sources, which only the server can get. The task is then run again with them. */
export class SourcesNeeded extends Error {
  readonly passThrough = true;
  readonly requests: readonly OutsideRequest[];

  constructor(requests: readonly OutsideRequest[]) {
    super('the page reads what is not in the content');
    this.requests = requests;
  }
}

/** The answers of sources that a task was given. */
export class SourceData {
  readonly #sources: ReadonlyMap<string, SourceAnswer>;
  readonly #workflows: ReadonlyMap<string, WorkflowAnswer>;
  readonly #sitemaps: ReadonlyMap<string, SitemapSourceAnswer>;
  #expiresAt = Number.POSITIVE_INFINITY;
  #isRead = false;

  constructor(answers: readonly OutsideAnswer[] = []) {
    this.#sources = new Map(answers.flatMap((answer) => ('slug' in answer ? [[keyOf(answer), answer]] : [])));
    this.#workflows = new Map(
      answers.flatMap((answer) => ('workflow' in answer ? [[callKey(answer), answer]] : [])),
    );
    this.#sitemaps = new Map(
      answers.flatMap((answer) =>
        'sitemapSource' in answer ? [[JSON.stringify(answer.sitemapSource), answer]] : [],
      ),
    );
  }

  /** When the first of the answers that were read expires, Unix milliseconds; never without one. */
  get expiresAt(): number {
    return this.#expiresAt;
  }

  /** Whether an answer was read, so that the render went on behind a call of something outside. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** The list of a source. @throws SourcesNeeded, Error if the source failed */
  read(
    { slug, listPath }: { readonly slug: string; readonly listPath: string },
    params: SourceRequest['params'],
  ): unknown {
    const answer = this.#sources.get(keyOf({ slug, params }));
    if (answer === undefined) throw new SourcesNeeded([{ slug, params }]);
    this.#isRead = true;
    this.#expiresAt = Math.min(this.#expiresAt, answer.expiresAt);
    if (answer.bytes === undefined) throw new Error(`source "${slug}": ${answer.error}`);
    try {
      return listIn(parseAnswer(answer.bytes), listPath);
    } catch (error) {
      throw new Error(`source "${slug}": ${error instanceof Error ? error.message : error}`);
    }
  }

  /** The payload at the end of a run; the page then counts for one visit only. @throws SourcesNeeded, Error */
  call(call: WorkflowCall): unknown {
    const answer = this.#workflows.get(callKey(call));
    if (answer === undefined) throw new SourcesNeeded([call]);
    this.#isRead = true;
    this.#expiresAt = 0;
    if (answer.result === undefined) throw new Error(answer.error);
    return JSON.parse(answer.result);
  }

  /** The addresses that a sitemap source names. @throws SourcesNeeded, Error if the source fails */
  addresses(request: SitemapSourceRequest): readonly SourcedAddress[] {
    const answer = this.#sitemaps.get(JSON.stringify(request.sitemapSource));
    if (answer === undefined) throw new SourcesNeeded([request]);
    this.#isRead = true;
    this.#expiresAt = Math.min(this.#expiresAt, answer.expiresAt);
    if (answer.addresses === undefined) throw new Error(answer.error);
    return answer.addresses;
  }
}

function callKey({ workflow, payload }: WorkflowCall): string {
  return JSON.stringify([workflow, payload]);
}

/** @throws Error if the answer is not JSON */
export function parseAnswer(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error('its answer is not JSON, or longer than 10 MB');
  }
}

/** The value at a path of names and positions, `result.items.0`. @throws Error if there is none */
export function listIn(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path === '' ? [] : path.split('.')) {
    const isThere =
      typeof found === 'object' && found !== null && Object.hasOwn(found, name) && name !== 'length';
    if (!isThere) throw new Error(`its answer has no "${path}"`);
    found = Reflect.get(Object(found), name);
  }
  return found;
}

function keyOf({ slug, params }: SourceRequest): string {
  return JSON.stringify([slug, Object.entries(params).sort(([left], [right]) => (left < right ? -1 : 1))]);
}
