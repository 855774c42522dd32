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

/** The rendered page needs answers of sources, which only the server can get. The task is then run again with them. */
export class SourcesNeeded extends Error {
  readonly passThrough = true;
  readonly requests: readonly SourceRequest[];

  constructor(requests: readonly SourceRequest[]) {
    super('the page reads a REST source');
    this.requests = requests;
  }
}

/** The answers of sources that a task was given. */
export class SourceData {
  readonly #answers: ReadonlyMap<string, SourceAnswer>;
  #expiresAt = Number.POSITIVE_INFINITY;

  constructor(answers: readonly SourceAnswer[] = []) {
    this.#answers = new Map(answers.map((answer) => [keyOf(answer), answer]));
  }

  /** When the first of the answers that were read expires, Unix milliseconds; never without one. */
  get expiresAt(): number {
    return this.#expiresAt;
  }

  /** The list of a source. @throws SourcesNeeded, Error if the source failed */
  read(
    { slug, listPath }: { readonly slug: string; readonly listPath: string },
    params: SourceRequest['params'],
  ): unknown {
    const answer = this.#answers.get(keyOf({ slug, params }));
    if (answer === undefined) throw new SourcesNeeded([{ slug, params }]);
    this.#expiresAt = Math.min(this.#expiresAt, answer.expiresAt);
    if (answer.bytes === undefined) throw new Error(`source "${slug}": ${answer.error}`);
    try {
      return listIn(parseAnswer(answer.bytes), listPath);
    } catch (error) {
      throw new Error(`source "${slug}": ${error instanceof Error ? error.message : error}`);
    }
  }
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
