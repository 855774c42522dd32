import { bodyValidator } from '../../api/validate.ts';
import { TrustedTree } from '../../content/blocks/convert-tree.ts';
import type { ContentDb } from '../../db/tables.ts';
import { isImage } from '../media/service.ts';
import { existingAssignments } from './assignments.ts';
import { type PageState, PageUpdate } from './model.ts';
import * as store from './store.ts';

const keptFields = new Set(['slug', 'domains', 'default_site', 'published', 'base_updated_at']);
const restoredFields = Object.keys(PageUpdate.properties).filter((name) => !keptFields.has(name));
const validate = bodyValidator(PageUpdate);

/**
 * The body of a save that restores a stored state of a page (Core, "Version history"). Fields that the state
 * lacks stay as they are. So do the place of the page, its slug, domains, `default_site` and `published`.
 * References to deleted objects are left out.
 */
export async function restorableFields(
  db: ContentDb,
  current: PageState,
  stored: PageState,
): Promise<PageUpdate> {
  const fields = Object.entries(stored).filter(([name]) => restoredFields.includes(name));
  // Type boundary: the value has passed the schema of `PageUpdate`.
  const body = validate(Object.fromEntries(fields)) as PageUpdate;
  if (stored.blocks !== undefined) body.blocks = TrustedTree.fromHistory(stored.blocks);
  if (body.assets !== undefined) body.assets = await existingAssignments(db, body.assets);
  for (const field of ['og_image_file_id', 'favicon_file_id'] as const) {
    if (body[field] !== undefined && !(await isImage(db, body[field]))) body[field] = 0;
  }
  if (body.notfound_page_id !== undefined && !(await isSubpage(db, body.notfound_page_id, current.root_id))) {
    body.notfound_page_id = 0;
  }
  return body;
}

async function isSubpage(db: ContentDb, id: number, rootId: number): Promise<boolean> {
  const page = await store.pages.find(db, id);
  return page !== undefined && page.parent_id !== null && page.root_id === rootId;
}
