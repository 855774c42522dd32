import { requireRight } from '../../../base/refusals/refusal.ts';
import type { Grants } from '../../../base/rights.ts';
import { placeObject, requireObjectRight } from '../../../content/kinds/decide.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { pageIdentity } from '../fields.ts';
import { requirePage } from '../service.ts';
import type { PagePreview } from './model.ts';

/**
 * Checks that the caller may edit a page, and may write the code that is to be tried in its preview.
 *
 * @throws ApiError `common.notFound`, 403 `auth.notAllowed`
 */
export async function decidePreview(
  db: ContentDb,
  { grants }: { readonly grants?: Grants | undefined },
  id: number,
  body: PagePreview = {},
): Promise<void> {
  if (grants === undefined) return;
  const page = await requirePage(db, id);
  await requireObjectRight(grants, 'edit', pageIdentity, db, page);
  const { html = page.html, head = page.head, description = page.description } = body;
  const isTemplate = description !== page.description && /\{[{%#]/.test(description);
  const tried = {
    html: html !== page.html,
    head: head !== page.head,
    description: isTemplate,
    overrides: Object.keys(body.overrides ?? {}).length > 0,
    snippets: Object.keys(body.snippets ?? {}).length > 0,
  };
  const place = await placeObject(pageIdentity, db, page);
  for (const [field, isCode] of Object.entries(tried))
    if (isCode) requireRight(grants, 'code', place, { field });
}
