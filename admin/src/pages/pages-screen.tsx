import { useMediaQuery } from '@mantine/hooks';
import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SplitPane } from '../ui/split-pane.tsx';
import { PageDialogs } from './dialogs/page-dialogs-view.tsx';
import classes from './pages-screen.module.css';
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
  const isSingle = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  const pane = <TreePane key={root} root={root} tree={tree} current={current} />;
  return (
    <div className={classes['screen']}>
      {isSingle ? (
        current === undefined ? (
          pane
        ) : (
          <Outlet />
        )
      ) : (
        <SplitPane id="pages" label={t('tree.width')} initial={264} min={200} max={520} first={pane}>
          <Outlet />
        </SplitPane>
      )}
      <PageDialogs tree={tree} />
    </div>
  );
}
