import { parseQuery } from '../content/items/query.ts';
import { NotFoundSignal } from '../functions/not-found.ts';
import { localDate, prepareRender } from '../page/render.ts';
import type { TaskContext } from './context.ts';
import type { TemplateDataResult, TemplateDataTask } from './messages/documents.ts';
import { createRenderRequest, findTaskPage, isTemplateError } from './page-render.ts';

/**
 * The data that templates of a page can read, as in a preview (Core, POST /pages/{id}/template-data).
 *
 * @throws all errors except template errors and that of `not_found()`
 */
export async function templateDataTask(
  context: TaskContext,
  task: TemplateDataTask,
): Promise<TemplateDataResult> {
  const { value } = await context.onSnapshot<TemplateDataResult>(task.now, async () => {
    const page = findTaskPage(context, task);
    if (page === undefined) return { kind: 'gone' };
    const request = { ...createRenderRequest(context, task, page), preview: true, inline: undefined };
    try {
      const { env, context: variables } = await prepareRender(context.tools, request);
      const view = { withHidden: false, withDrafts: true, line: env.line };
      const below = (id: number) => env.tree.below(page.root_id, id, view);
      const data = {
        variables: {
          ...variables,
          today: localDate(request.now),
          now: withOffset(request.now),
        },
        nav: below(page.root_id),
        children: below(page.id),
        collections: collectionsOf(context, page.root_id),
        sources: context.memo.items.sources().map(({ slug, name, url }) => ({ slug, name, url })),
      };
      return { kind: 'data', json: JSON.stringify(data) };
    } catch (error) {
      if (error instanceof NotFoundSignal || isTemplateError(error)) {
        return { kind: 'failed', message: error.message };
      }
      throw error;
    }
  });
  return value;
}

/** Entries of each collection that are shown. */
const shownItems = 20;

/** The collections with their first entries, as `data(slug)` returns them. */
function collectionsOf({ memo: { items }, tools }: TaskContext, rootId: number): object[] {
  const view = { drafts: true, unsaved: undefined, rootId, scheme: tools.scheme };
  return items.collections().map((collection) => {
    const { slug, name, fields } = collection;
    const all = parseQuery(collection, []);
    const first = items.select(collection, { ...all, limit: shownItems }, true);
    return {
      slug,
      name,
      fields: fields.map((field) => ({ name: field.name, type: field.type })),
      count: items.count(collection, all, true),
      items: tools.entries.list(collection, first, view),
    };
  });
}

/** ISO 8601 in the server's time zone, to the second: `2026-03-01T09:30:00+01:00`. */
function withOffset(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  const two = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
