import { api, requireData } from '../../api/client.ts';
import type { BatchOperation, UsageEntry } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { toBlockTree } from '../../editors/blocks/model/tree.ts';
import { listAllowed, type Renamed, renamedInSchema, renamedInText, renamedInTree } from './renamed.ts';

/** What changes in an object when a snippet is renamed. */
export interface RenameStep {
  readonly user: UsageEntry;
  /** How many names change; 0 if it uses the snippet in a way that is not found, such as a computed name. */
  readonly count: number;
  /** The operation of the batch; undefined if nothing changes. */
  readonly op: BatchOperation | undefined;
}

export interface RenamePlan {
  readonly steps: readonly RenameStep[];
  /** False if there are more users than the server lists. */
  readonly isComplete: boolean;
}

/** What a user of a snippet holds: templates, block trees and the schema of a block type by field. */
interface Holder {
  /** Folder of a template, for relative names. */
  readonly folder: string;
  readonly updatedAt: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The operation that writes fields. */
  readonly target: Pick<BatchOperation, 'kind' | 'id' | 'collection'>;
}

/** Looks through everything that names a snippet, except itself. */
export async function planRename(snippet: number, from: string, to: string): Promise<RenamePlan> {
  const [{ usage, complete }, snippets] = await Promise.all([
    requireData(api.GET('/usage', { params: { query: { kind: 'snippet', id: snippet } } })),
    requireData(api.GET('/snippets')),
  ]);
  // The server counts no slot as a use of the types it takes.
  const takers = snippets.filter(({ id, schema }) => id !== snippet && listAllowed(schema).includes(from));
  const isUser = (id: number) => usage.some((user) => user.kind === 'snippet' && user.id === id);
  const users = [
    ...usage,
    ...takers.filter(({ id }) => !isUser(id)).map(({ id, name }) => ({ kind: 'snippet', id, title: name })),
  ];
  const steps = await Promise.all(
    users.map(async (user) => stepOf(user, await holders[user.kind]?.(user.id), from, to)),
  );
  return { steps, isComplete: complete };
}

/** A snippet before it gets another name, with what changes besides. */
export interface RenameSource {
  readonly id: number;
  /** The name until now. */
  readonly name: string;
  readonly content: string;
  readonly schema?: unknown;
  readonly base_updated_at: number;
  /** Changed fields that are saved with the name. */
  readonly changes?: Readonly<Record<string, unknown>>;
  /** Whether code that cannot run is refused. */
  readonly isStrict?: boolean;
}

/** Renames a snippet and all places of a plan at once, or nothing. */
export async function renameSnippet(source: RenameSource, to: string, { steps }: RenamePlan): Promise<void> {
  const { id, name, base_updated_at, changes = {}, isStrict = false } = source;
  const fields = { content: source.content, schema: source.schema, ...changes };
  const data = { ...changes, ...renamedFields(fields, name, to, folderOf(name)).data, name: to };
  const own: BatchOperation = { op: 'update', kind: 'snippet', id, base_updated_at, data };
  const ops = [own, ...steps.flatMap(({ op }) => (op === undefined ? [] : [op]))];
  const params = { query: isStrict ? { strict: true } : {} };
  await requireData(api.POST('/batch', { params, body: { ops } }));
  await queryClient.invalidateQueries();
}

function stepOf(user: UsageEntry, holder: Holder | undefined, from: string, to: string): RenameStep {
  if (holder === undefined) return { user, count: 0, op: undefined };
  const { count, data } = renamedFields(holder.fields, from, to, holder.folder);
  const op: BatchOperation = { op: 'update', ...holder.target, base_updated_at: holder.updatedAt, data };
  return { user, count, op: count === 0 ? undefined : op };
}

/** The fields that name the snippet, under its new name, and how many names that are. */
function renamedFields(fields: Holder['fields'], from: string, to: string, folder: string) {
  let count = 0;
  const data: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const renamed = renamedValue(name, value, [from, to], folder);
    if (renamed.count > 0) data[name] = renamed.value;
    count += renamed.count;
  }
  return { count, data };
}

function renamedValue(
  field: string,
  value: unknown,
  [from, to]: readonly [string, string],
  folder: string,
): Renamed<unknown> {
  if (typeof value === 'string') return renamedInText(value, from, to, folder);
  if (field === 'schema') return renamedInSchema(value, from, to);
  return renamedInTree(toBlockTree(value), from, to);
}

function folderOf(name: string): string {
  return name.split('/').slice(0, -1).join('/');
}

/** How the kinds of objects that can name a snippet are read. */
const holders: Readonly<Record<string, (id: number) => Promise<Holder | undefined>>> = {
  async page(id) {
    const page = await requireData(api.GET('/pages/{id}', { params: { path: { id } } }));
    const { html, head, meta_title, description, blocks } = page;
    const fields = { html, head, meta_title, description, blocks };
    return { folder: '', updatedAt: page.updated_at, fields, target: { kind: 'page', id } };
  },
  async snippet(id) {
    const { name, content, schema, updated_at } = await requireData(
      api.GET('/snippets/{id}', { params: { path: { id } } }),
    );
    const fields = { content, schema };
    return { folder: folderOf(name), updatedAt: updated_at, fields, target: { kind: 'snippet', id } };
  },
  async global(id) {
    const { blocks, updated_at } = await requireData(
      api.GET('/global-blocks/{id}', { params: { path: { id } } }),
    );
    return { folder: '', updatedAt: updated_at, fields: { blocks }, target: { kind: 'global_block', id } };
  },
  item: findEntry,
};

/** An entry with fields of blocks. Nothing says whose entry it is, so the collections with such fields are asked. */
async function findEntry(id: number): Promise<Holder | undefined> {
  const collections = await requireData(api.GET('/collections'));
  for (const { id: collection, fields } of collections) {
    const names = fields.filter(({ type }) => type === 'blocks').map(({ name }) => name);
    if (names.length === 0) continue;
    const path = { ref: String(collection), id };
    const { data: entry } = await api.GET('/collections/{ref}/items/{id}', { params: { path } });
    if (entry === undefined) continue;
    const trees = Object.fromEntries(names.map((name) => [name, entry.data[name]]));
    return {
      folder: '',
      updatedAt: entry.updated_at,
      fields: trees,
      target: { kind: 'item', collection, id },
    };
  }
  return undefined;
}
