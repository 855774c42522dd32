import { api, requireData } from '../../api/client.ts';
import type { BatchOperation, UsageEntry } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { toBlockTree } from '../../editors/blocks/model/tree.ts';
import { renamedInText, renamedInTree } from './renamed.ts';

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

/** What a user of a snippet holds: templates and block trees by field. */
interface Holder {
  /** Folder of a template, for relative names. */
  readonly folder: string;
  readonly updatedAt: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The operation that writes fields. */
  readonly target: Pick<BatchOperation, 'kind' | 'id' | 'collection'>;
}

/** Looks through everything that uses a snippet. */
export async function planRename(snippet: number, from: string, to: string): Promise<RenamePlan> {
  const { usage, complete } = await requireData(
    api.GET('/usage', { params: { query: { kind: 'snippet', id: snippet } } }),
  );
  const steps = await Promise.all(
    usage.map(async (user) => stepOf(user, await holders[user.kind]?.(user.id), from, to)),
  );
  return { steps, isComplete: complete };
}

/** Renames a snippet and all places of a plan at once, or nothing. */
export async function renameSnippet(
  { id, updated_at }: { readonly id: number; readonly updated_at: number },
  to: string,
  { steps }: RenamePlan,
): Promise<void> {
  const own: BatchOperation = {
    op: 'update',
    kind: 'snippet',
    id,
    base_updated_at: updated_at,
    data: { name: to },
  };
  const ops = [own, ...steps.flatMap(({ op }) => (op === undefined ? [] : [op]))];
  await requireData(api.POST('/batch', { body: { ops } }));
  await queryClient.invalidateQueries();
}

function stepOf(user: UsageEntry, holder: Holder | undefined, from: string, to: string): RenameStep {
  if (holder === undefined) return { user, count: 0, op: undefined };
  let count = 0;
  const data: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(holder.fields)) {
    const renamed =
      typeof value === 'string'
        ? renamedInText(value, from, to, holder.folder)
        : renamedInTree(toBlockTree(value), from, to);
    if (renamed.count > 0) data[name] = renamed.value;
    count += renamed.count;
  }
  const op: BatchOperation = { op: 'update', ...holder.target, base_updated_at: holder.updatedAt, data };
  return { user, count, op: count === 0 ? undefined : op };
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
    const { name, content, updated_at } = await requireData(
      api.GET('/snippets/{id}', { params: { path: { id } } }),
    );
    const folder = name.split('/').slice(0, -1).join('/');
    return { folder, updatedAt: updated_at, fields: { content }, target: { kind: 'snippet', id } };
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
