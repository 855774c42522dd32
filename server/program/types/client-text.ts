/** The parts of the written file that are the same for all collections. */

export const sharedTypesText = `/** An image; \`srcset\` is for an \`<img>\`. Addresses begin with \`/\` and are those of the server. */
export interface Image {
  readonly url: string;
  readonly srcset: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly alt: string;
}

/** A link to a page, an entry, a file or an address; \`href\` is empty if its target is gone. */
export interface Link {
  readonly href: string;
  readonly page?: number;
  readonly entry?: number;
  readonly file?: number;
  readonly url?: string;
  readonly text?: string;
  readonly new_tab?: boolean;
}

/** A place on the earth, in degrees. */
export interface Place {
  readonly lat: number;
  readonly lng: number;
  readonly label?: string;
}

/** A block of a block tree as it is stored. */
export interface Block {
  readonly type: string;
  readonly [key: string]: unknown;
}
`;

export const clientText = `export type CollectionSlug = keyof Collections;
export type SingletonSlug = keyof Singletons;

/** A part of the entries; \`total\` counts all that fit the query. */
export type EntryList<Entry> = readonly Entry[] & { readonly total: number };

type QueryValue = string | number | boolean | null | undefined;

/**
 * Filters by name, such as \`{ title__contains: 'sea' }\`, and \`_sort\`, \`_limit\`, \`_offset\`, \`_search\`. A list becomes a
 * text with commas.
 */
export interface Query {
  readonly _sort?: string | readonly string[] | undefined;
  readonly _limit?: number | undefined;
  readonly _offset?: number | undefined;
  readonly _search?: string | undefined;
  readonly [name: string]: QueryValue | readonly QueryValue[];
}

/** An answer that is no success. \`code\` is that of the API, such as \`common.notFound\`. */
class IncipitError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'IncipitError';
    this.status = status;
    this.code = code;
  }
}

export { IncipitError };

export interface ClientOptions {
  /** A token of the server; drafts are shown with it, and collections that are not public. */
  readonly token?: string | undefined;
  /** Sends requests; default: the global \`fetch\`. */
  readonly fetch?: Send | undefined;
}

/** What the client needs of \`fetch\`. */
export type Send = (
  url: string,
  init: { readonly headers: Record<string, string> },
) => Promise<{
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}>;

export interface Client {
  /** The entries of a collection that fit a query; \`_fields\` names those of their values that are needed. */
  list<Slug extends CollectionSlug, Name extends keyof Collections[Slug] & string = keyof Collections[Slug] & string>(
    slug: Slug,
    query?: Query & { readonly _fields?: readonly Name[] | undefined },
  ): Promise<EntryList<Pick<Collections[Slug], Name>>>;
  /** An entry. @throws IncipitError with the code \`common.notFound\` if there is none */
  get<Slug extends CollectionSlug>(slug: Slug, id: number | string): Promise<Collections[Slug]>;
  /** The entry of a collection with one entry. @throws IncipitError with the code \`common.notFound\` if it has none yet */
  get<Slug extends SingletonSlug>(slug: Slug): Promise<Singletons[Slug]>;
}

declare const fetch: Send;

/** @param url address of the server, such as \`https://www.example.com\` */
export function createClient(url: string, options: ClientOptions = {}): Client {
  const origin = url.replace(/\\/+$/, '');
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (options.token !== undefined) headers['Authorization'] = \`Bearer \${options.token}\`;
  const send: Send = options.fetch ?? ((address, init) => fetch(address, init));

  async function ask(slug: string, query: Query): Promise<{ readonly body: unknown; readonly total: number }> {
    const pairs = Object.entries({ _image: 'object', ...query }).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
    );
    const text = pairs.map((pair) => pair.map((part) => encodeURIComponent(part)).join('=')).join('&');
    const answer = await send(\`\${origin}/api/v1/data/\${encodeURIComponent(slug)}?\${text}\`, { headers });
    const body = await answer.json().catch(() => undefined);
    if (!answer.ok) throw errorIn(answer.status, body);
    return { body, total: Number(answer.headers.get('X-Total-Count') ?? 0) };
  }

  async function list(slug: string, query: Query = {}): Promise<unknown> {
    const { body, total } = await ask(slug, query);
    const entries: unknown[] = Array.isArray(body) ? body : body === null ? [] : [body];
    return Object.defineProperty(entries, 'total', { value: total, enumerable: false });
  }

  async function get(slug: string, id?: number | string): Promise<unknown> {
    const { body } = await ask(slug, id === undefined ? {} : { id });
    const entry: unknown = Array.isArray(body) ? body[0] : body;
    if (entry !== undefined && entry !== null) return entry;
    throw new IncipitError(404, 'common.notFound', \`"\${slug}" has no such entry\`);
  }

  return { list, get } as Client;
}

function errorIn(status: number, body: unknown): IncipitError {
  const { code, error } = (typeof body === 'object' && body !== null ? body : {}) as { code?: unknown; error?: unknown };
  const message = typeof error === 'string' ? error : \`the server answered \${status}\`;
  return new IncipitError(status, typeof code === 'string' ? code : '', message);
}
`;
