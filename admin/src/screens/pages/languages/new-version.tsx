import { api, requireData } from '../../../api/client.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { createPage } from '../../../content/page-requests.ts';
import { type Page, type PageTreeEntry, pagesChanged } from '../../../content/pages.ts';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';
import { createSlug } from '../../../kit/form/slug.ts';
import { slugBelow } from '../dialogs/slug-below.ts';
import { languageName } from './language-name.ts';
import type { VersionPlace } from './language-table.ts';

export interface NewVersionProps {
  /** The page that it is a version of. */
  readonly source: PageTreeEntry;
  readonly lang: string;
  readonly place: VersionPlace<PageTreeEntry>;
  onClose(): void;
}

/** A draft with the content of a page, linked as its version in another language. */
export function NewVersion({ source, lang, place: { parent, lang: ownLang }, onClose }: NewVersionProps) {
  const isHome = source.parent_id === null;
  const create = async (fields: { readonly title: string; readonly slug: string }) => {
    const path = { id: source.id };
    const content = contentOf(await requireData(api.GET('/pages/{id}', { params: { path } })));
    const own = ownLang === undefined ? {} : { lang: ownLang };
    const page = await createPage({ ...content, ...own, parent_id: parent.id, ...fields });
    try {
      await requireData(
        api.POST('/pages/{id}/translations', { params: { path }, body: { page_id: page.id } }),
      );
    } finally {
      await pagesChanged();
    }
    return page;
  };
  return (
    <CreateDialog
      title={t('languages.newTitle', { title: source.title, language: languageName(lang) })}
      submit={t('page.create')}
      initial={{ title: source.title, slug: isHome ? createSlug(lang) : source.slug }}
      intro={<p className="line">{t('languages.newHelp')}</p>}
      fields={['title', slugBelow(parent)]}
      create={create}
      onDone={(page) => goTo(paths.page(page.root_id, page.id))}
      onClose={onClose}
    />
  );
}

/** What a version takes over: the content and how it is found, not its place nor what a home page alone has. */
function contentOf(page: Page) {
  const { html, head, description, meta_title, html_attrs, body_attrs, blocks, og_image_file_id } = page;
  const { catch_all, no_cache, sitemap_exclude, sitemap_source, noindex, nofollow, hide_in_nav } = page;
  return {
    ...{ html, head, description, meta_title, html_attrs, body_attrs, og_image_file_id },
    ...{ catch_all, no_cache, sitemap_exclude, noindex, nofollow, hide_in_nav },
    ...(sitemap_source === null ? {} : { sitemap_source }),
    blocks,
    assets: page.assets.map(({ asset_id, inherit }) => ({ asset_id, inherit })),
  };
}
