import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { useCommands } from '../../commands/registry.ts';
import { pageQuery, usePageTree } from '../../content/pages.ts';
import { ListAndDetail } from '../../kit/list/list-and-detail.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import { PageDialogs } from './dialogs/page-dialogs-view.tsx';
import { indexTree } from './model/tree-model.ts';
import { TreePane } from './tree/tree-pane.tsx';

/** The pages of a website: the tree, beside it the page in the editor. */
export function PagesScreen() {
  const params: { readonly root?: string; readonly page?: string; readonly tab?: string } = useParams({
    strict: false,
  });
  const root = Number(params.root);
  const current = params.page === undefined ? undefined : Number(params.page);
  const { data: pages } = usePageTree();
  const { data: page } = useQuery({ ...pageQuery(current ?? 0), enabled: current !== undefined });
  const hasRoom = useMedia('(min-width: 1600px)');
  const isBlocks = page?.renders_blocks === true && params.tab === 'content';
  const tree = useMemo(() => indexTree(pages ?? [], root), [pages, root]);
  useCommands([
    {
      id: 'pages.languages',
      label: 'languages.open',
      icon: 'translate',
      run: () => goTo(paths.languages(root)),
    },
  ]);
  return (
    <>
      <ListAndDetail
        id="pages"
        label={t('tree.width')}
        list={<TreePane key={root} root={root} tree={tree} current={current} />}
        isOpen={current !== undefined}
        isAlone={isBlocks && !hasRoom}
      >
        <Outlet />
      </ListAndDetail>
      <PageDialogs tree={tree} />
    </>
  );
}
