import { isDeepStrictEqual } from 'node:util';
import { readBlockSchema } from '../../../runtime/blocks/schema.ts';
import { characterCount } from '../../../runtime/filters/shared/values.ts';
import { apiError, collectFaults, type ErrorCode, invalid } from '../../base/errors.ts';
import { compareIgnoringCase } from '../../base/text.ts';
import type { Warning } from '../../base/warnings.ts';
import type { TextReport } from '../../changes/text-analysis.ts';
import { referencesOfType } from '../../content/blocks/references.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import type { ContentDb } from '../../db/tables.ts';
import {
  type PageLayout,
  type PageLayoutInput,
  pageLayoutLimits,
  SavedSnippet,
  Snippet,
  SnippetCreate,
  SnippetUpdate,
} from './model.ts';
import { layoutHtml } from './offers.ts';
import { asBlockSchema, checkSchema, parseSchema, slotWarnings } from './schema.ts';
import * as store from './store.ts';
import { toCheckedText } from './text.ts';

const errors: readonly ErrorCode[] = [
  'snippet.nameTaken',
  'snippet.layoutTooLong',
  'block.paramNameInvalid',
  'block.paramTypeInvalid',
  'block.paramLinkMissing',
  'block.paramDefaultInvalid',
  'block.paramRuleInvalid',
  'block.slotNameInvalid',
];

/** A template that other templates can name. It may also be a page layout or a block type. */
export const snippetKind: Kind<Snippet, typeof SnippetCreate, typeof SnippetUpdate> = {
  name: 'snippet',
  path: '/snippets',
  noun: 'a snippet',
  about: 'Templates that pages and other snippets use.',
  schemas: { create: SnippetCreate, update: SnippetUpdate, answer: Snippet, saved: SavedSnippet },
  errors: { create: errors, update: errors },
  list: { summary: 'List snippets with their content', entry: Snippet, read: listSnippets },
  find: findSnippet,
  faultsIn: (_db, { name, schema }) =>
    collectFaults([() => name !== undefined && checkNameForm(name), () => schema && parseSchema(schema)]),
  async create({ tx, now }, body) {
    await checkNameIsFree(tx, body.name, 0);
    if (body.schema) await checkSchema(body.schema, (id) => store.hasCollection(tx, id));
    const stored = {
      name: body.name,
      description: body.description ?? '',
      content: body.content ?? '',
      folder: body.folder ?? folderOf(body.name),
      schema: body.schema ?? null,
      page_layout: toPageLayout(body.page_layout ?? null),
      created_at: now,
      updated_at: now,
    };
    const id = await store.snippets.insert(tx, stored);
    const assets = await store.findAssets(tx, idsOf(body.assets ?? []));
    await store.replaceAssets(tx, id, assets);
    return { id, ...stored, assets };
  },
  async merge({ tx }, before, body) {
    if (body.name !== undefined && body.name !== before.name) await checkNameIsFree(tx, body.name, before.id);
    if (body.schema) {
      const linked = new Set(before.schema === null ? [] : collectionsIn(before.schema));
      // A collection that is gone since is no fault of a later save.
      await checkSchema(body.schema, async (id) => linked.has(id) || (await store.hasCollection(tx, id)));
    }
    return {
      ...before,
      name: body.name ?? before.name,
      description: body.description ?? before.description,
      content: body.content ?? before.content,
      folder: body.folder ?? before.folder,
      schema: body.schema === undefined ? before.schema : body.schema,
      page_layout: body.page_layout === undefined ? before.page_layout : toPageLayout(body.page_layout),
      assets: body.assets === undefined ? before.assets : await store.findAssets(tx, idsOf(body.assets)),
    };
  },
  async write({ tx }, { assets, ...stored }, before) {
    await store.snippets.update(tx, stored);
    if (!isDeepStrictEqual(assets, before.assets)) await store.replaceAssets(tx, stored.id, assets);
    return { ...stored, assets };
  },
  async remove({ tx }, { id }) {
    await store.snippets.remove(tx, id);
  },
  rights: { code: ['content', 'schema'] },
  namesOf: ({ name }) => ({ name }),
  texts: (snippet) => [toCheckedText(snippet)],
  moreWarnings: warningsAboutSlots,
  batch: { ops: ['create', 'update', 'delete'], idFields: [] },
  revisions: { kind: 'snippet', restore: async (_db, _current, stored) => restorable(stored) },
  refersTo: ({ assets, schema }) => ({
    schema: schema === null ? [] : referencesOfType(readBlockSchema(schema).params),
    assets: assets.map(({ asset_id }) => ({ kind: 'asset', key: String(asset_id) })),
  }),
  usage: { targets: async (_db, { name }) => [{ kind: 'snippet', key: name }] },
  trash: {
    async beforeRestore({ tx }, { name }, names) {
      const free = await names.claim({
        what: 'name',
        name,
        async findHolder(wanted) {
          const id = await store.findIdByName(tx, wanted);
          return id === undefined ? undefined : { kind: 'snippet', id };
        },
        next: (number) => `${name}-${number}`,
      });
      return { snippets: (row) => ({ ...row, name: free }) };
    },
  },
  tables: ['snippets', 'snippet_assets'],
  bundle: { names: { content: 'template', schema: 'blockType' } },
};

/** The collections that the parameters of a block type refer to. */
function collectionsIn(schema: unknown): number[] {
  return readBlockSchema(schema).params.flatMap(({ collection }) => collection ?? []);
}

/** All snippets with their content, sorted by name. */
async function listSnippets(db: ContentDb): Promise<Snippet[]> {
  const assets = await store.listAllAssets(db);
  const snippets = await store.snippets.list(db);
  return snippets
    .sort((left, right) => compareIgnoringCase(left.name, right.name))
    .map((snippet) => ({ ...snippet, assets: assets.get(snippet.id) ?? [] }));
}

async function findSnippet(db: ContentDb, id: number): Promise<Snippet | undefined> {
  const stored = await store.snippets.find(db, id);
  return stored === undefined ? undefined : { ...stored, assets: await store.listAssets(db, id) };
}

/** Restores content, description and schema. If the state has no schema, the current schema stays. */
function restorable({ content, description, schema }: Partial<Snippet>): SnippetUpdate {
  return {
    ...(content === undefined ? {} : { content }),
    ...(description === undefined ? {} : { description }),
    ...(schema === undefined ? {} : { schema }),
  };
}

/** The slots of a template with a syntax error are not known. */
function warningsAboutSlots({ schema }: Snippet, [report]: readonly TextReport[]): readonly Warning[] {
  if (schema === null || report === undefined || report.failed === true) return [];
  const isReadable = report.warnings.every(({ code }) => code !== 'template.syntax');
  return isReadable ? slotWarnings(asBlockSchema(schema), report.slots) : [];
}

/**
 * The HTML of a new page with this page layout; undefined if the snippet is no page layout or does not exist.
 */
export async function findPageLayoutHtml(db: ContentDb, id: number): Promise<string | undefined> {
  const snippet = await store.snippets.find(db, id);
  return snippet === undefined || snippet.page_layout === null ? undefined : layoutHtml(snippet.name);
}

function idsOf(assets: readonly { readonly asset_id: number }[]): number[] {
  return assets.map(({ asset_id }) => asset_id);
}

/** @throws ApiError `common.invalid` for `name` */
function checkNameForm(name: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(name)) {
    throw invalid(
      'name',
      'must consist of letters, digits, ".", "_", "-", "/" and begin with a letter or digit',
    );
  }
}

/** Whether a snippet has this name. */
export function isSnippetNameTaken(db: ContentDb, name: string): Promise<boolean> {
  return store.isNameTaken(db, name, 0);
}

/** @throws ApiError 409 `snippet.nameTaken` */
async function checkNameIsFree(db: ContentDb, name: string, exceptId: number): Promise<void> {
  if (await store.isNameTaken(db, name, exceptId)) throw apiError('snippet.nameTaken', { name });
}

function folderOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf('/')));
}

/** @throws ApiError `snippet.layoutTooLong` */
function toPageLayout(input: PageLayoutInput | null): PageLayout | null {
  if (input === null) return null;
  const layout = {
    label: input.label ?? '',
    description: input.description ?? '',
    default: input.default ?? false,
  };
  for (const field of ['label', 'description'] as const) {
    const max = pageLayoutLimits[field];
    if (characterCount(layout[field]) > max) throw apiError('snippet.layoutTooLong', { field, max });
  }
  return layout;
}
