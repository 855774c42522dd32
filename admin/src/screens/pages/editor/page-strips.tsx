import { Button } from '@mantine/core';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { createPage } from '../../../content/page-requests.ts';
import { usePage } from '../../../content/pages.ts';
import { EditorStrips } from '../../../editing/frame/editor-strips.tsx';
import { findRegionName } from '../../../editing/merge/named-parts.ts';
import type { PageEditing, PageStore } from '../store/page-store.ts';

/** What stands between the page and a save; a page that is gone can be made again. */
export function PageStrips({ editor }: { readonly editor: PageEditing }) {
  const { store } = editor;
  const { data: known } = usePage(store.base.id);
  return (
    <EditorStrips
      editor={editor}
      known={known}
      nameOf={(field) => findRegionLabel(store, field)}
      gone={t('page.gone')}
      goneActions={
        <Button size="compact-sm" onClick={() => void createAgain(store)}>
          {t('page.createAgain')}
        </Button>
      }
    />
  );
}

/** What editors read as the name of a region, whose words are fields `regions.<name>` in a conflict. */
function findRegionLabel({ base }: PageStore, field: string): string | undefined {
  const region = findRegionName(field);
  if (region === undefined) return undefined;
  return base.region_schema.find(({ name }) => name === region)?.label ?? region;
}

/** A page that somebody else has deleted, made again from what is here. */
async function createAgain(store: PageStore): Promise<void> {
  const { parent_id, slug, title, html, head, regions, description, meta_title, lang } = store.whole();
  if (parent_id === null) return;
  const page = await createPage({
    parent_id,
    slug,
    title,
    html,
    head,
    regions,
    description,
    meta_title,
    lang,
  });
  store.discard();
  goTo(paths.page(page.root_id, page.id), { replace: true });
}
