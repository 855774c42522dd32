import type { UnsavedItem } from '../content/items/records.ts';
import type { PageRecord } from '../content/reader.ts';
import { ConversionError } from '../fields/definition.ts';
import { convertValue, currentValue } from '../fields/types.ts';
import { NotFoundSignal } from '../functions/not-found.ts';
import { notFoundHtml } from '../page/default-pages.ts';
import { notFoundNotice } from '../page/error-page.ts';
import { findNotFoundPage } from '../page/not-found.ts';
import { type RenderRequest, type RenderTools, renderPage } from '../page/render.ts';
import type { TaskContext } from './context.ts';
import type { DocumentResult, DocumentTask, UnsavedEntry } from './messages/documents.ts';
import { createErrorPage, createRenderRequest, findTaskPage, isTemplateError } from './page-render.ts';

/**
 * One page as a document: preview (Core, POST /pages/{id}/preview), page as a visitor gets it, or archive.
 *
 * @throws all errors except template errors and that of `not_found()`
 */
export async function documentTask(context: TaskContext, task: DocumentTask): Promise<DocumentResult> {
  const { value } = await context.onSnapshot<DocumentResult>(task.now, async () => {
    const page = findTaskPage(context, task);
    if (page === undefined) return { kind: 'gone' };
    const request = requestOf(context, task, page);
    const tools = toolsOf(context, task);
    try {
      const text = await renderPage(tools, request);
      const { site, path } = request;
      const url = `${tools.scheme}://${site.host}${encodeURI(path)}`;
      return { kind: 'document', text, title: page.title, url };
    } catch (error) {
      if (error instanceof NotFoundSignal) return notFound(context, task, request);
      return failed(context, page, error);
    }
  });
  return value;
}

/** Unsaved snippets are read by engines of their own, so that no other task sees them. */
function toolsOf(context: TaskContext, { snippets }: DocumentTask): RenderTools {
  if (snippets === undefined) return context.tools;
  return {
    ...context.tools,
    engine: context.engineWith(snippets),
    markedEngine: () => context.engineWith(snippets, true),
  };
}

function requestOf(context: TaskContext, task: DocumentTask, page: PageRecord): RenderRequest {
  return {
    ...createRenderRequest(context, task, page),
    preview: task.form === 'preview',
    isEdited: task.form === 'preview',
    unsavedBlocks: task.unsaved.blocks,
    unsavedGlobals: task.globalBlocks,
    unsavedRegions: task.unsaved.regions,
    unsavedItem: task.item === undefined ? undefined : unsavedItem(context, task.item),
    inline: task.form === 'page' ? undefined : { own: task.assets, contents: task.overrides },
    oneSize: task.form === 'archive',
  };
}

/** The unsaved values over those of the stored entry; a value that does not fit its field is left out. */
function unsavedItem(
  { memo: { items } }: TaskContext,
  { collection: slug, id, data: sent }: UnsavedEntry,
): UnsavedItem | undefined {
  const collection = items.collection(slug);
  if (collection === undefined) return undefined;
  const stored = id === 0 ? {} : (items.item(collection.id, id)?.data ?? {});
  const data: Record<string, unknown> = {};
  for (const field of collection.fields) {
    const value = Object.hasOwn(sent, field.name) ? convertValue(sent[field.name], field) : undefined;
    const isUsable = value !== undefined && !(value instanceof ConversionError);
    data[field.name] = isUsable ? value : currentValue(stored, field);
  }
  return { collectionId: collection.id, id, data };
}

async function notFound(
  context: TaskContext,
  task: DocumentTask,
  request: RenderRequest,
): Promise<DocumentResult> {
  if (task.form === 'preview') {
    return { kind: 'not-found', text: notFoundNotice(request.page.catch_all) };
  }
  const root = context.memo.basics(request.page.root_id);
  const page = root && findNotFoundPage(context.memo, root);
  if (page === undefined) return { kind: 'not-found', text: notFoundHtml };
  try {
    const text = await renderPage(context.tools, { ...request, page, rest: [], shareable: false });
    return { kind: 'not-found', text };
  } catch (error) {
    if (error instanceof NotFoundSignal) return { kind: 'not-found', text: notFoundHtml };
    return failed(context, page, error);
  }
}

function failed(context: TaskContext, page: PageRecord, error: unknown): DocumentResult {
  if (!isTemplateError(error)) throw error;
  return { kind: 'failed', message: error.message, text: createErrorPage(context, page, error) };
}
