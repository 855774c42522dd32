import { Chip, Group, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useCallback, useMemo, useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { CommandButton, CommandItems } from '../../../commands/command-button.tsx';
import { runCommand } from '../../../commands/run.ts';
import { useDraftIds } from '../../../content/draft-names.ts';
import { useFailingIds } from '../../../content/failing-pages.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { useMarks } from '../../../content/releases/marks.ts';
import { ListPane } from '../../../kit/list/list-pane.tsx';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import { BulkBar } from '../../../ui/rows/bulk-bar.tsx';
import { newPageBelow, pageCommands } from '../commands/page-commands.ts';
import { type TreeIndex, textFilter } from '../model/tree-model.ts';
import { PageTree } from './page-tree.tsx';
import classes from './tree-pane.module.css';

export interface TreePaneProps {
  readonly root: number;
  readonly tree: TreeIndex<PageTreeEntry>;
  readonly current: number | undefined;
}

/** What can be shown alone; the last two only if there are such pages. */
type State = 'drafts' | 'unsaved' | 'changed' | 'scheduled';

/** The tree with its search, and what can be done with chosen pages. */
export function TreePane({ root, tree, current }: TreePaneProps) {
  const unsaved = useDraftIds('page');
  const failing = useFailingIds(root);
  const marks = useMarks('page');
  const kinds = new Set([...marks].flatMap(([id, { kind }]) => (tree.byId.has(id) ? [kind] : [])));
  const states: readonly State[] = [
    'drafts',
    'unsaved',
    ...(kinds.size > 0 ? (['changed'] as const) : []),
    ...(kinds.has('scheduled') ? (['scheduled'] as const) : []),
  ];
  const { open, setOpen } = useOpenPages(root);
  const [query, setQuery] = useState('');
  const [state, setState] = useState<State>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [menu, setMenu] = useState<{ page: PageTreeEntry; x: number; y: number }>();

  const matches = useMemo(() => {
    const byText = textFilter(query);
    if (byText === undefined && state === undefined) return undefined;
    return (page: PageTreeEntry) =>
      (byText?.(page) ?? true) &&
      (state !== 'drafts' || !page.published) &&
      (state !== 'unsaved' || unsaved.has(page.id)) &&
      (state !== 'changed' || marks.has(page.id)) &&
      (state !== 'scheduled' || marks.get(page.id)?.kind === 'scheduled');
  }, [query, state, unsaved, marks]);
  const parent = tree.byId.get(current ?? 0) ?? tree.home;
  const isNothing = matches !== undefined && ![...tree.byId.values()].some(matches);
  const chosen = [...selected].flatMap((key) => tree.byId.get(Number(key)) ?? []);
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
          {states.map((name) => (
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
          failing={failing}
          marks={marks}
          onOpenPage={(page) => goTo(paths.page(root, page.id))}
          onMenu={(page, at) => setMenu({ page, ...at })}
        />
      )}
      {chosen.length > 0 && <PagesBar pages={chosen} tree={tree} onDone={() => setSelected(new Set())} />}
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
            <CommandItems commands={pageCommands([menu.page], tree)} />
          </Menu.Dropdown>
        </Menu>
      )}
    </ListPane>
  );
}

/** The commands of pages that make sense for several. */
const bulkCommands: ReadonlySet<string> = new Set([
  'page.publish',
  'page.unpublish',
  'object.duplicate',
  'object.duplicateDeep',
  'page.delete',
]);

interface PagesBarProps extends Pick<TreePaneProps, 'tree'> {
  readonly pages: readonly PageTreeEntry[];
  onDone(): void;
}

/** What can be done with several chosen pages at once. */
function PagesBar({ pages, tree, onDone }: PagesBarProps) {
  const commands = pageCommands(pages, tree).filter(({ id }) => bulkCommands.has(id));
  return (
    <BulkBar count={pages.length} onClear={onDone}>
      {commands.map((command) => (
        <CommandButton key={command.id} command={command} variant="default" size="compact-sm" />
      ))}
    </BulkBar>
  );
}

/** Which pages of a website are open in the tree; kept in this browser. */
function useOpenPages(root: number) {
  const [ids, setIds] = useLocalStorage<readonly number[]>({
    key: `ic-open-${root}`,
    defaultValue: [root],
    getInitialValueInEffect: false,
  });
  const open = useMemo(() => new Set(ids), [ids]);
  const setOpen = useCallback(
    (changed: readonly number[], isOpen: boolean) => {
      setIds((before) => {
        const next = new Set(before);
        for (const id of changed) {
          if (isOpen) next.add(id);
          else next.delete(id);
        }
        return [...next];
      });
    },
    [setIds],
  );
  return { open, setOpen };
}
