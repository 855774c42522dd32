import { Title } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { CommandButton, CommandMenu } from '../../../commands/command-button.tsx';
import { type PageTreeEntry, usePageTree } from '../../../content/pages.ts';
import { useEditStatus } from '../../../editing/frame/edit-status.ts';
import { PeopleHere } from '../../../editing/frame/people-here.tsx';
import { PublishButton } from '../../../editing/frame/publish-button.tsx';
import { SaveStateText } from '../../../editing/frame/save-state-text.tsx';
import { saveCall } from '../../../editing/save-call.ts';
import { viewPage } from '../../../editors/preview/view-page.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { useDocumentTitle } from '../../../ui/layout/document-title.ts';
import { Ruler } from '../../../ui/layout/ruler.tsx';
import { useTitleFocus } from '../../../ui/layout/title-focus.ts';
import { StatusMark } from '../../../ui/messages/status-mark.tsx';
import {
  deletePages,
  duplicateCommands,
  moveToCommand,
  newPageBelow,
  reimportPage,
} from '../commands/page-commands.ts';
import { indexTree, listAncestors, type TreeIndex } from '../model/tree-model.ts';
import { type PageEditing, toSent } from '../store/page-store.ts';
import classes from './editor-head.module.css';
import { publishCommands } from './publish-commands.ts';
import { PreviewLinksButton } from './tabs/preview-links.tsx';

export interface EditorHeadProps {
  readonly editor: PageEditing;
  readonly entry: PageTreeEntry | undefined;
  /** The tree of pages is hidden where there is little room. */
  readonly isAlone: boolean;
}

/** Where the page is, its state, and what can be done with it. */
export function EditorHead({ editor, entry, isAlone }: EditorHeadProps) {
  const { store, save, changeCommands, copying } = editor;
  const { publish, unpublish } = publishCommands(editor);
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const title = useSyncExternalStore(store.subscribe, () => store.get('title'));
  const status = useEditStatus(editor, base.published ? 'live' : 'draft');
  useDocumentTitle(title);
  const { data: pages = [] } = usePageTree();
  const tree = indexTree(pages, base.root_id);
  const more = [
    viewPage(base),
    ...(base.published ? [unpublish] : []),
    ...changeCommands,
    ...(base.source_url === '' ? [] : [reimportPage(base)]),
    ...(entry === undefined
      ? []
      : [
          newPageBelow(entry),
          ...duplicateCommands([entry], tree, copying?.commands.keep),
          moveToCommand(entry),
          deletePages([entry]),
        ]),
  ];
  return (
    <header className={classes['head']} data-alone={isAlone || undefined}>
      <div className={classes['line']}>
        <Link href={paths.pages(base.root_id)} className={classes['back']} aria-label={t('page.backToTree')}>
          <Icon name="arrow-left" size={20} />
        </Link>
        <div className={classes['names']}>
          <Crumbs page={base} tree={tree} />
          <div className={classes['titleLine']}>
            <Title
              order={1}
              className={classes['title'] ?? ''}
              ref={useTitleFocus(String(base.id))}
              tabIndex={-1}
            >
              {title}
            </Title>
            <StatusMark status={status} />
            <SaveStateText store={store} />
            <PeopleHere key={base.id} object={{ kind: 'page', id: base.id }} store={store} />
          </div>
        </div>
        <div className={classes['actions']}>
          <PreviewLinksButton pageId={base.id} />
          {base.published || copying !== undefined ? (
            <PublishButton editor={editor} />
          ) : (
            <>
              <CommandButton command={save} variant="default" />
              <CommandButton command={publish} />
            </>
          )}
          <CommandMenu
            label={t('page.more')}
            commands={more}
            call={() => saveCall(store, `/pages/${base.id}?strict=true`, (changes) => toSent(base, changes))}
          />
        </div>
      </div>
      <Ruler />
    </header>
  );
}

interface CrumbsProps {
  readonly page: { readonly id: number; readonly root_id: number; readonly path: string };
  readonly tree: TreeIndex<PageTreeEntry>;
}

/** The pages above, each a link. */
function Crumbs({ page, tree }: CrumbsProps) {
  const above = listAncestors(tree, page.id).toReversed();
  return (
    <nav className={classes['crumbs']} aria-label={t('page.crumbs')}>
      {above.length === 0 && <Link href={paths.pages(page.root_id)}>{t('nav.pages')}</Link>}
      {above.map((id, index) => (
        <span key={id}>
          {index > 0 && <span aria-hidden="true"> / </span>}
          <Link href={paths.page(page.root_id, id)}>{tree.byId.get(id)?.title}</Link>
        </span>
      ))}
      <span aria-hidden="true"> · </span>
      <span className={classes['path']}>{page.path}</span>
    </nav>
  );
}
