/** Changes of pages, each a request of the API. */
import { api, requireData } from '../api/client.ts';
import type { PageCreate, PageUpdate } from '../api/generated/schema.ts';
import { pageSaved, pagesChanged, type SavedPage } from './pages.ts';

export async function createPage(body: PageCreate): Promise<SavedPage> {
  const page = await requireData(api.POST('/pages', { body }));
  pageSaved(page);
  return page;
}

/** @param isStrict refuses texts that visitors would see as an error page */
export async function updatePage(id: number, body: PageUpdate, isStrict = false): Promise<SavedPage> {
  const query = isStrict ? { strict: true } : {};
  const page = await requireData(api.PUT('/pages/{id}', { params: { path: { id }, query }, body }));
  pageSaved(page);
  return page;
}

/** @param index position among the new siblings; missing: the end */
export async function movePage(id: number, parentId: number, index?: number): Promise<void> {
  const body = { parent_id: parentId, ...(index === undefined ? {} : { index }) };
  await requireData(api.POST('/pages/{id}/move', { params: { path: { id } }, body }));
  await pagesChanged();
}

export async function deletePage(id: number, isOnlyUnused: boolean): Promise<void> {
  const query = isOnlyUnused ? { if_unused: true } : {};
  await requireData(api.DELETE('/pages/{id}', { params: { path: { id }, query } }));
}
