import { type TextKey, t } from '../../../../base/i18n/index.ts';
import { pagesChanged } from '../../../../content/pages.ts';
import { type Revision, RevisionList } from '../../../../editors/versions/revision-list.tsx';
import type { TabProps } from '../../store/page-store.ts';

/** Fields in the order of the tabs; others have no use in a comparison. */
const compared = [
  'title',
  'html',
  'head',
  'meta_title',
  'description',
  'slug',
  'lang',
  'hide_in_nav',
  'catch_all',
  'no_cache',
  'noindex',
  'nofollow',
  'sitemap_exclude',
  'html_attrs',
  'body_attrs',
  'domains',
  'robots_txt',
  'assets',
] as const;

/** What a restore leaves as it is (Core, "Version history"). */
const keptKey: TextKey = 'history.keptOfPage';

export function HistoryTab({ store }: TabProps) {
  const restored = async (_revision: Revision) => {
    store.discard();
    await pagesChanged();
  };
  return (
    <RevisionList
      kind="page"
      id={store.base.id}
      current={{ ...store.base }}
      fields={compared}
      kept={t(keptKey)}
      onRestored={restored}
    />
  );
}
