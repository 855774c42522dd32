import type { Change } from '../change.ts';
import type { ContentDb } from '../db/tables.ts';
import { bodyValidator } from '../http/validate.ts';
import { keepRevision } from '../revisions/keep.ts';
import type { ObjectState } from '../revisions/model.ts';
import type { Versioned } from '../revisions/service.ts';
import type { TemplateAnalysis } from '../templates.ts';
import { findUnknownAsset } from './assignments.ts';
import { type AssetAssignment, PageUpdate } from './model.ts';
import { getPage, type PageState, presentPage, presentSavedPage, updatePage } from './service.ts';
import * as store from './store.ts';

/** How versions of pages are shown and restored. */
export function pageVersions(templates: TemplateAnalysis): Versioned {
  return {
    present: (data) => presentPage(asState(data), templates),
    async restore(change, id, data) {
      const state = await restorePage(change, id, data);
      return () => presentSavedPage(state, templates);
    },
  };
}

/**
 * Puts a page back into a stored state. What a version does not say, and the place of the page, its domains, default
 * website and publication status stay as they are (Core, "Version history"; open points 12, "Versions").
 */
async function restorePage(change: Change, id: number, data: ObjectState): Promise<PageState> {
  const current = await getPage(change.tx, id);
  await keepRevision(change, { kind: 'page', id }, async () => current, { always: true });
  return updatePage(change, id, await restorableFields(change.tx, asState(data), current.root_id));
}

const keptFields = new Set(['slug', 'domains', 'default_site', 'published', 'base_updated_at']);
const restoredFields = Object.keys(PageUpdate.properties).filter((name) => !keptFields.has(name));
const validate = bodyValidator(PageUpdate);

/** References to what has been deleted since are left out. */
async function restorableFields(db: ContentDb, state: PageState, rootId: number): Promise<PageUpdate> {
  const fields = Object.entries(state).filter(([name]) => restoredFields.includes(name));
  // The boundary where a state that passed the schema of a save takes the type made from it.
  const body = validate(Object.fromEntries(fields)) as PageUpdate;
  if (body.assets !== undefined) body.assets = await existingAssets(db, body.assets);
  if (body.notfound_page_id !== undefined && !(await isSubpage(db, body.notfound_page_id, rootId))) {
    body.notfound_page_id = 0;
  }
  return body;
}

async function existingAssets(
  db: ContentDb,
  assignments: readonly AssetAssignment[],
): Promise<AssetAssignment[]> {
  const existing: AssetAssignment[] = [];
  for (const assignment of assignments) {
    if ((await findUnknownAsset(db, [assignment])) < 0) existing.push(assignment);
  }
  return existing;
}

async function isSubpage(db: ContentDb, id: number, rootId: number): Promise<boolean> {
  const page = await store.findPage(db, id);
  return page !== undefined && page.parent_id !== null && page.root_id === rootId;
}

/** The boundary where a stored state of a page takes its type: `updatePage` stored it. */
function asState(data: ObjectState): PageState {
  return data as PageState;
}
