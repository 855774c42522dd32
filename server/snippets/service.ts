import type { Change } from '../change.ts';
import { nextUpdatedAt } from '../clock.ts';
import type { ContentDb } from '../db/tables.ts';
import { apiError, invalid } from '../errors.ts';
import { checkBase } from '../model.ts';
import { keepRevision } from '../revisions/keep.ts';
import type { TemplateAnalysis } from '../templates.ts';
import { characterCount, compareText } from '../text.ts';
import {
  type PageLayout,
  type PageLayoutInput,
  pageLayoutLimits,
  type SavedSnippet,
  type Snippet,
  type SnippetCreate,
  type SnippetUpdate,
  type StoredSnippet,
} from './model.ts';
import { layoutHtml } from './offers.ts';
import { asBlockSchema, checkSchema, slotWarnings } from './schema.ts';
import * as store from './store.ts';

/** GET /snippets: all, with content, by name. */
export async function listSnippets(db: ContentDb): Promise<Snippet[]> {
  const assets = await store.listAllAssets(db);
  const snippets = await store.listSnippets(db);
  return snippets
    .sort((left, right) => compareText(left.name, right.name))
    .map((snippet) => ({ ...snippet, assets: assets.get(snippet.id) ?? [] }));
}

/** @throws ApiError `common.notFound` */
export async function getSnippet(db: ContentDb, id: number): Promise<Snippet> {
  return withAssets(db, await requireSnippet(db, id));
}

export async function createSnippet(change: Change, body: SnippetCreate): Promise<Snippet> {
  const { tx, now } = change;
  await checkName(tx, body.name, 0);
  if (body.schema) checkSchema(body.schema);
  const snippet = {
    name: body.name,
    description: body.description ?? '',
    content: body.content ?? '',
    folder: body.folder ?? folderOf(body.name),
    schema: body.schema ?? null,
    page_layout: toPageLayout(body.page_layout ?? null),
    created_at: now,
    updated_at: now,
  };
  const id = await store.insertSnippet(tx, snippet);
  await assign(tx, id, body);
  change.record({ kind: 'snippet', action: 'create', id });
  return withAssets(tx, { id, ...snippet });
}

/** PUT /snippets/{id}: merges what is present; null takes `schema` or `page_layout` away. */
export async function updateSnippet(change: Change, id: number, body: SnippetUpdate): Promise<Snippet> {
  const { tx, now } = change;
  const before = await requireSnippet(tx, id);
  checkBase(body, before);
  if (body.name !== undefined && body.name !== before.name) await checkName(tx, body.name, id);
  if (body.schema) checkSchema(body.schema);
  await keepRevision(change, { kind: 'snippet', id }, () => withAssets(tx, before));
  const snippet = {
    ...before,
    name: body.name ?? before.name,
    description: body.description ?? before.description,
    content: body.content ?? before.content,
    folder: body.folder ?? before.folder,
    schema: body.schema === undefined ? before.schema : body.schema,
    page_layout: body.page_layout === undefined ? before.page_layout : toPageLayout(body.page_layout),
    updated_at: nextUpdatedAt(now, before.updated_at),
  };
  await store.updateSnippet(tx, snippet);
  await assign(tx, id, body);
  change.record({ kind: 'snippet', action: 'update', id });
  return withAssets(tx, snippet);
}

export async function deleteSnippet(change: Change, id: number): Promise<void> {
  await requireSnippet(change.tx, id);
  await store.deleteSnippet(change.tx, id);
  change.record({ kind: 'snippet', action: 'delete', id });
}

/** The answer to a save: the snippet with the findings about its template. */
export async function presentSavedSnippet(
  snippet: Snippet,
  analysis: TemplateAnalysis,
): Promise<SavedSnippet> {
  const template = { name: snippet.name, source: snippet.content };
  const findings = await analysis.check([template]);
  // The slots of a text that cannot be read are not known.
  const readable = findings.every(({ code }) => code !== 'template.syntax');
  const ofSlots =
    snippet.schema !== null && readable
      ? slotWarnings(asBlockSchema(snippet.schema), await analysis.slotsOf(template))
      : [];
  return { ...snippet, warnings: [...findings, ...ofSlots] };
}

/** The HTML of a page with a snippet that is offered as a page layout; nothing for any other or none. */
export async function findPageLayoutHtml(db: ContentDb, id: number): Promise<string | undefined> {
  const snippet = await store.findSnippet(db, id);
  return snippet === undefined || snippet.page_layout === null ? undefined : layoutHtml(snippet.name);
}

async function requireSnippet(db: ContentDb, id: number): Promise<StoredSnippet> {
  const snippet = await store.findSnippet(db, id);
  if (snippet === undefined) throw apiError('common.notFound', {});
  return snippet;
}

/** @throws ApiError `common.invalid` for `name`, 409 `snippet.nameTaken` */
async function checkName(db: ContentDb, name: string, exceptId: number): Promise<void> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(name)) {
    throw invalid(
      'name',
      'must consist of letters, digits, ".", "_", "-", "/" and begin with a letter or digit',
    );
  }
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

async function assign(db: ContentDb, id: number, body: SnippetUpdate): Promise<void> {
  if (body.assets === undefined) return;
  await store.replaceAssets(
    db,
    id,
    body.assets.map((asset) => asset.asset_id),
  );
}

async function withAssets(db: ContentDb, snippet: StoredSnippet): Promise<Snippet> {
  return { ...snippet, assets: await store.listAssets(db, snippet.id) };
}
