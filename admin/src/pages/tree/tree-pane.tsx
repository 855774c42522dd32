import { Chip, Group, Menu } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../../app/history.ts';
import { Link } from '../../app/link.tsx';
import { paths } from '../../app/paths.ts';
import { CommandItems } from '../../commands/command-button.tsx';
import { runCommand } from '../../commands/run.ts';
import { useDraftIds } from '../../editing/drafts.ts';
import { useSession } from '../../session/queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListPane } from '../../ui/list-pane.tsx';
import { newPageBelow, pageCommands } from '../page-commands.ts';
import type { PageTreeEntry } from '../queries.ts';
import { useOpenPages } from './open-pages.ts';
import { PageTree } from './page-tree.tsx';
import { PagesBar } from './pages-bar.tsx';
import { type TreeIndex, textFilter } from './tree-model.ts';
import classes from './tree-pane.module.css';

export interface TreePaneProps {
  readonly root: number;
  readonly tree: TreeIndex<PageTreeEntry>;
  readonly current: number | undefined;
}

type State = 'drafts' | 'unsaved';

/** The tree with its search, and what can be done with chosen pages. */
export function TreePane({ root, tree, current }: TreePaneProps) {
  const { t } = useTranslation();
  const { data: session } = useSession();
  const unsaved = useDraftIds(session?.user?.id ?? 0, 'page');
  const { open, setOpen } = useOpenPages(root);
  const [query, setQuery] = useState('');
  const [state, setState] = useState<State>();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [menu, setMenu] = useState<{ page: PageTreeEntry; x: number; y: number }>();

  const matches = useMemo(() => {
    const byText = textFilter(query);
    if (byText === undefined && state === undefined) return undefined;
    return (page: PageTreeEntry) =>
      (byText?.(page) ?? true) &&
      (state !== 'drafts' || !page.published) &&
      (state !== 'unsaved' || unsaved.has(page.id));
  }, [query, state, unsaved]);
  const parent = tree.byId.get(current ?? 0) ?? tree.home;
  const isNothing = matches !== undefined && ![...tree.byId.values()].some(matches);
  const chosen = [...selected].flatMap((id) => tree.byId.get(id) ?? []);
  return (
    <ListPane
      title={t('nav.pages')}
      count={tree.byId.size}
      add={
        parent && {
          label: t('page.new'),
          run: () => void runCommand(newPageBelow(parent)),
        }
      }
      filter={t('tree.search')}
      query={query}
      onQuery={setQuery}
      chips={
        <Group gap={4} className={classes['chips'] ?? ''}>
          {(['drafts', 'unsaved'] as const).map((name) => (
            <Chip
              key={name}
              size="xs"
              checked={state === name}
              onChange={(isChecked) => setState(isChecked ? name : undefined)}
            >
              {t(`tree.${name}`)}
            </Chip>
          ))}
          <Link href={paths.languages(root)} className={classes['languages']}>
            {t('languages.title')}
          </Link>
        </Group>
      }
    >
      {isNothing ? (
        <EmptyState>{t('tree.noHit')}</EmptyState>
      ) : (
        <PageTree
          tree={tree}
          open={open}
          setOpen={setOpen}
          matches={matches}
          current={current}
          selected={selected}
          onSelect={setSelected}
          unsaved={unsaved}
          onOpenPage={(page) => goTo(paths.page(root, page.id))}
          onMenu={(page, at) => setMenu({ page, ...at })}
        />
      )}
      {chosen.length > 0 && <PagesBar pages={chosen} onDone={() => setSelected(new Set())} />}
      {menu !== undefined && (
        <Menu opened onClose={() => setMenu(undefined)} position="bottom-start">
          <Menu.Target>
            <button
              type="button"
              tabIndex={-1}
              className={classes['anchor']}
              style={{ left: menu.x, top: menu.y }}
              aria-label={t('tree.more', { title: menu.page.title })}
            />
          </Menu.Target>
          <Menu.Dropdown>
            <CommandItems commands={pageCommands([menu.page])} />
          </Menu.Dropdown>
        </Menu>
      )}
    </ListPane>
  );
}
