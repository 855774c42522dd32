import { pageTemplateName, type TemplateField, templateFields } from '../../../runtime/page/template-name.ts';
import type { CheckedText } from '../../changes/text-analysis.ts';
import { mediaReferencesIn } from '../../content/kinds/references.ts';
import type { PageState, StoredPage } from './model.ts';

/** What others need of a page to record a change of it. */
export const pageIdentity = {
  name: 'page',
  namesOf: ({ slug, title, path, root_id }: StoredPage) => ({ slug, name: title, path, root_id }),
  texts: (page: StoredPage) => templateFields.map((field) => toCheckedField(page, field)),
  refersTo: ({
    assets,
    notfound_page_id,
    og_image_file_id,
    favicon_file_id,
    html_attrs,
    body_attrs,
  }: PageState) => ({
    html_attrs: mediaReferencesIn(html_attrs),
    body_attrs: mediaReferencesIn(body_attrs),
    og_image_file_id: og_image_file_id === 0 ? [] : [{ kind: 'file', key: String(og_image_file_id) }],
    favicon_file_id: favicon_file_id === 0 ? [] : [{ kind: 'file', key: String(favicon_file_id) }],
    assets: assets.map(({ asset_id }) => ({ kind: 'asset', key: String(asset_id) })),
    notfound_page_id: notfound_page_id === 0 ? [] : [{ kind: 'page', key: String(notfound_page_id) }],
  }),
} as const;

export function toCheckedField(page: StoredPage, field: TemplateField): CheckedText {
  return { language: 'template', field, name: pageTemplateName(page.path, field), source: page[field] };
}
