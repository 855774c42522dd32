import { api, requireData } from '../../../api/client.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { createPage } from '../../../content/page-requests.ts';
import { type Page, type PageTreeEntry, pagesChanged } from '../../../content/pages.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { createSlug } from '../../../kit/form/slug.ts';
import { useSubmit } from '../../../kit/form/submit.ts';
import { TitleAndSlug, useTitleAndSlug } from '../dialogs/title-and-slug.tsx';
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
  const named = useTitleAndSlug(source.title, isHome ? createSlug(lang) : source.slug);
  const sending = useSubmit(async () => {
    const content = contentOf(
      await requireData(api.GET('/pages/{id}', { params: { path: { id: source.id } } })),
    );
    const own = ownLang === undefined ? {} : { lang: ownLang };
    const page = await createPage({
      ...content,
      ...own,
      parent_id: parent.id,
      title: named.title,
      slug: named.slug,
    });
    try {
      const path = { id: source.id };
      await requireData(
        api.POST('/pages/{id}/translations', { params: { path }, body: { page_id: page.id } }),
      );
    } finally {
      await pagesChanged();
    }
    onClose();
    goTo(paths.page(page.root_id, page.id));
  });
  return (
    <FormDialog
      title={t('languages.newTitle', { title: source.title, language: languageName(lang) })}
      submit={t('page.create')}
      sending={sending}
      onClose={onClose}
    >
      <p className="line">{t('languages.newHelp')}</p>
      <TitleAndSlug state={named} above={parent.path} faults={sending.faults} />
    </FormDialog>
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
