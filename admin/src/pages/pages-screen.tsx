import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ListAndDetail } from '../ui/list-and-detail.tsx';
import { PageDialogs } from './dialogs/page-dialogs-view.tsx';
import { usePageTree } from './queries.ts';
import { indexTree } from './tree/tree-model.ts';
import { TreePane } from './tree/tree-pane.tsx';

/** The pages of a website: the tree, beside it the page in the editor. */
export function PagesScreen() {
  const { t } = useTranslation();
  const params: { readonly root?: string; readonly page?: string } = useParams({ strict: false });
  const root = Number(params.root);
  const current = params.page === undefined ? undefined : Number(params.page);
  const { data: pages } = usePageTree();
  const tree = useMemo(() => indexTree(pages ?? [], root), [pages, root]);
  return (
    <>
      <ListAndDetail
        id="pages"
        label={t('tree.width')}
        list={<TreePane key={root} root={root} tree={tree} current={current} />}
        isOpen={current !== undefined}
      >
        <Outlet />
      </ListAndDetail>
      <PageDialogs tree={tree} />
    </>
  );
}
