import { lazy, Suspense } from 'react';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { openPageDialog, usePageDialog } from '../commands/page-dialogs.ts';
import type { TreeIndex } from '../model/tree-model.ts';

const NewPage = lazy(async () => ({ default: (await import('./new-page.tsx')).NewPage }));
const MovePage = lazy(async () => ({ default: (await import('./move-page.tsx')).MovePage }));
const ReimportPage = lazy(async () => ({ default: (await import('./reimport-page.tsx')).ReimportPage }));
const DeletePages = lazy(async () => ({ default: (await import('./delete-pages.tsx')).DeletePages }));

/** The dialog that a command about pages has opened. */
export function PageDialogs({ tree }: { readonly tree: TreeIndex<PageTreeEntry> }) {
  const dialog = usePageDialog();
  const close = () => openPageDialog(undefined);
  return (
    <Suspense>
      {dialog?.kind === 'new' && <NewPage parent={dialog.parent} onClose={close} />}
      {dialog?.kind === 'move' && <MovePage page={dialog.page} tree={tree} onClose={close} />}
      {dialog?.kind === 'reimport' && <ReimportPage page={dialog.page} onClose={close} />}
      {dialog?.kind === 'delete' && <DeletePages pages={dialog.pages} tree={tree} onClose={close} />}
    </Suspense>
  );
}
