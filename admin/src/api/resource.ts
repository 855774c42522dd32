import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, requireData } from './client.ts';
import { type ChangeKind, followChanges } from './feeds.ts';
import type { paths } from './generated/schema.ts';
import { queryClient } from './query-client.ts';

type Operation<Path, Method extends string> = Path extends keyof paths
  ? paths[Path] extends { readonly [name in Method]: infer Found }
    ? Found
    : never
  : never;
type JsonIn<Holder> = Holder extends { content: { 'application/json': infer Body } } ? Body : never;
type BodyOf<Path, Method extends string> =
  Operation<Path, Method> extends { requestBody: infer Body } ? JsonIn<Body> : never;
type AnswerOf<Path, Method extends string> =
  Operation<Path, Method> extends { responses: infer All } ? JsonIn<All[keyof All & (200 | 201)]> : never;

/** The address of one object of a list. */
type ItemPath<List extends string> = Exclude<
  Extract<keyof paths, `${List}/{${string}}`>,
  `${List}/{${string}}/${string}`
>;
/** Addresses that answer with a list and make a new object of it. */
export type ListPath = {
  [Path in keyof paths]: AnswerOf<Path, 'get'> extends readonly object[]
    ? [ItemPath<Path>] extends [never]
      ? never
      : Path
    : never;
}[keyof paths];

export type ItemOf<List extends ListPath> =
  AnswerOf<List, 'get'> extends readonly (infer Item)[] ? Item : never;
/** One object, as its own address answers. */
type WholeOf<List extends ListPath> = AnswerOf<ItemPath<List>, 'get'>;
type MadeOf<List extends ListPath> = AnswerOf<List, 'post'>;
type SavedOf<List extends ListPath> = AnswerOf<ItemPath<List>, 'put'>;
type NewOf<List extends ListPath> = BodyOf<List, 'post'>;
type ChangeOf<List extends ListPath> = BodyOf<ItemPath<List>, 'put'>;
type IdOf<List extends ListPath> =
  Operation<ItemPath<List>, 'delete'> extends { parameters: { path: infer Names } }
    ? Names[keyof Names]
    : never;
/** What the list needs to be told; nothing if it can do without. */
type ScopeOf<List extends ListPath> =
  // biome-ignore lint/suspicious/noConfusingVoidType: a parameter of this type may be left out
  Operation<List, 'get'> extends { parameters: { query: infer Query } } ? Query : void;

export interface ResourceOptions {
  /** Kinds in the log of changes that make its answers old. */
  readonly feeds?: readonly ChangeKind[];
  /** First parts of the keys of further queries that depend on its objects. */
  readonly also?: readonly string[];
  /** Kind of its versions. A save adds one, and its answer takes the place of the object that is known. */
  readonly versions?: string;
  /** How often the list is asked for again while it is on the screen, in milliseconds. */
  readonly everyMs?: number;
}

/** Objects of one kind: the list, and what is done with one. What changes them makes all answers about them old. */
export class Resource<List extends ListPath> {
  /** First part of the keys of its queries. */
  readonly name: string;
  readonly #path: List;
  readonly #keys: readonly string[];
  readonly #versions: string | undefined;
  readonly #everyMs: number | undefined;

  constructor(path: List, { feeds = [], also = [], versions, everyMs }: ResourceOptions = {}) {
    this.name = path.slice(1);
    this.#path = path;
    this.#keys = [this.name, ...also];
    this.#versions = versions;
    this.#everyMs = everyMs;
    followChanges(feeds, ...this.#keys);
  }

  list(scope: ScopeOf<List>) {
    return queryOptions({
      queryKey: scope === undefined ? [this.name] : [this.name, scope],
      queryFn: ({ signal }) => send<ItemOf<List>[]>('get', this.#path, { params: { query: scope }, signal }),
    });
  }

  useList(scope: ScopeOf<List>) {
    return useQuery({ ...this.list(scope), refetchInterval: this.#everyMs ?? false });
  }

  query(id: IdOf<List>) {
    return queryOptions({
      queryKey: [this.name, id],
      queryFn: () => send<WholeOf<List>>('get', this.#addressOf(id)),
    });
  }

  useOne(id: IdOf<List>) {
    return useQuery(this.query(id));
  }

  /** The object as the server has it now. */
  load(id: IdOf<List>): Promise<WholeOf<List>> {
    return queryClient.fetchQuery({ ...this.query(id), staleTime: 0 });
  }

  async create(body: NewOf<List>): Promise<MadeOf<List>> {
    const made = await send<MadeOf<List>>('post', this.#path, { body });
    await this.changed();
    return made;
  }

  /** @param isStrict errors in texts are refused */
  async update(id: IdOf<List>, body: ChangeOf<List>, isStrict = false): Promise<SavedOf<List>> {
    const params = { query: isStrict ? { strict: true } : {} };
    const saved = await send<SavedOf<List>>('put', this.#addressOf(id), { params, body });
    if (this.#versions === undefined) await this.changed();
    else await this.#noteSaved(id, saved, this.#versions);
    return saved;
  }

  /** @param isOnlyUnused the server refuses if something uses the object */
  async remove(id: IdOf<List>, isOnlyUnused = false): Promise<void> {
    const params = { query: isOnlyUnused ? { if_unused: true } : {} };
    await send('delete', this.#addressOf(id), { params });
    await this.changed();
  }

  async changed(): Promise<void> {
    await Promise.all(this.#keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
  }

  async #noteSaved(id: IdOf<List>, saved: SavedOf<List>, versions: string): Promise<void> {
    queryClient.setQueryData([this.name, id], saved);
    const [name, ...others] = this.#keys;
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: [name], exact: true }),
      ...[...others.map((key) => [key]), ['revisions', versions, id]].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    ]);
  }

  #addressOf(id: IdOf<List>): string {
    return `${this.#path}/${encodeURIComponent(String(id))}`;
  }
}

interface CallParts {
  readonly params?: { readonly query: unknown };
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Type boundary: addresses are made of that of the list, so the caller names what the API answers there. */
export function send<Body>(
  method: 'get' | 'post' | 'put' | 'delete',
  path: string,
  parts: CallParts = {},
): Promise<Body> {
  const request = api.request as (
    method: string,
    path: string,
    parts: CallParts,
  ) => Promise<{ data?: Body; response: Response }>;
  return requireData(request(method, path, parts)) as Promise<Body>;
}
