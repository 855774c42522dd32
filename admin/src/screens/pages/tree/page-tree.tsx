import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { useRowText } from '../../../base/i18n/row-text.ts';
import { paths } from '../../../base/router/paths.ts';
import { preload } from '../../../base/router/preload.ts';
import { runCommand } from '../../../commands/run.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import type { WaitingMark } from '../../../content/releases/marks.ts';
import type { OwnKeys } from '../../../kit/tree/keys.ts';
import type { Point } from '../../../kit/tree/move.ts';
import type { Choice } from '../../../kit/tree/surface.ts';
import { Tree } from '../../../kit/tree/tree.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import { RowStatusMark } from '../../../ui/messages/status-mark.tsx';
import { deletePages, newPageBelow } from '../commands/page-commands.ts';
import { listAncestors, type PageRow, type TreeIndex, visibleRows } from '../model/tree-model.ts';
import { moveBy, pageMove } from './page-move.ts';
import classes from './page-tree.module.css';

export interface PageTreeProps {
  readonly tree: TreeIndex<PageTreeEntry>;
  readonly open: ReadonlySet<number>;
  setOpen(ids: readonly number[], isOpen: boolean): void;
  readonly matches: ((page: PageTreeEntry) => boolean) | undefined;
  /** The page in the editor. */
  readonly current: number | undefined;
  /** Keys of the chosen rows. */
  readonly selected: ReadonlySet<string>;
  onSelect(keys: ReadonlySet<string>): void;
  readonly unsaved: ReadonlySet<number>;
  /** Pages that visitors cannot see. */
  readonly failing: ReadonlySet<number>;
  /** Pages with changes that wait. */
  readonly marks: ReadonlyMap<number, WaitingMark>;
  onOpenPage(page: PageTreeEntry): void;
  onMenu(page: PageTreeEntry, at: Point): void;
}

type Row = PageRow<PageTreeEntry>;

const levels = { width: 18, start: 18 };

/** The tree of a website. */
export function PageTree(props: PageTreeProps) {
  const {
    tree,
    open,
    setOpen,
    matches,
    current,
    selected,
    onSelect,
    unsaved,
    failing,
    marks,
    onOpenPage,
    onMenu,
  } = props;
  const text = useRowText();
  const [focused, setFocused] = useState(String(current ?? tree.home?.id ?? 0));
  const rows = useMemo(() => visibleRows(tree, open, matches), [tree, open, matches]);
  const move = useMemo(() => pageMove(tree), [tree]);
  useCurrentOpen(props, setFocused);

  const choose = (chosen: readonly Row[], choice: Choice, at: Row) => {
    setFocused(at.key);
    const keys = chosen.map(({ key }) => key);
    if (choice === 'toggle') onSelect(toggled(selected, at.key));
    else if (choice === 'more') onSelect(new Set([...selected, ...keys]));
    else onSelect(new Set(choice === 'range' ? keys : []));
    if (choice === 'one') onOpenPage(at.page);
  };
  const ofRow = (act: (row: Row) => void) => (row: Row | undefined) => row !== undefined && act(row);
  const keys: OwnKeys<Row> = {
    ' ': ofRow((row) => choose([row], 'toggle', row)),
    'mod+a': () => onSelect(new Set(rows.slice(1).map(({ key }) => key))),
    Escape: () => onSelect(new Set()),
    Delete: ofRow(({ page }) => {
      const chosen = rows.filter(({ key }) => selected.has(key)).map((row) => row.page);
      void runCommand(deletePages(chosen.length > 0 ? chosen : [page]));
    }),
    n: ofRow(({ page }) => void runCommand(newPageBelow(page))),
    'Alt+ArrowUp': ofRow(({ page }) => moveBy(tree, page, -1)),
    'Alt+ArrowDown': ofRow(({ page }) => moveBy(tree, page, 1)),
  };
  const toggle = useCallback(({ page }: Row, isOpen: boolean) => setOpen([page.id], isOpen), [setOpen]);
  const menuLabel = useCallback(({ page: { title } }: Row) => text('tree.more', { title }), [text]);
  const draw = useCallback(
    ({ page, isGrey }: Row) => {
      const mark = marks.get(page.id);
      const waiting = mark === undefined ? (page.published ? 'live' : 'draft') : 'changed';
      const state = unsaved.has(page.id) ? 'unsaved' : waiting;
      const status = failing.has(page.id) ? 'failing' : state;
      const word = status === 'changed' ? mark?.text : undefined;
      const href = paths.page(page.root_id, page.id);
      return (
        <>
          <a
            href={href}
            tabIndex={-1}
            draggable={false}
            className={classes['title']}
            data-grey={isGrey || undefined}
            onMouseEnter={() => preload(href)}
          >
            {page.parent_id === null && <Icon name="house" />}
            <span className={classes['name']}>{page.title}</span>
            {page.hide_in_nav && <Icon name="eye-slash" />}
          </a>
          <RowStatusMark status={status} isShort word={word ?? text(`status.${status}`)} />
        </>
      );
    },
    [unsaved, failing, marks, text],
  );
  const shown = current === undefined ? undefined : String(current);
  return (
    <Tree
      label={t('tree.label')}
      rows={rows}
      levels={levels}
      focused={focused}
      chosen={selected}
      current={shown}
      revealed={shown}
      grip="a"
      className={classes['tree']}
      keys={keys}
      move={move}
      wordsOf={({ page }) => page.title}
      onFocus={({ key }) => setFocused(key)}
      onChoose={choose}
      onToggle={toggle}
      onEnter={({ page }) => onOpenPage(page)}
      onMenu={({ page }, at) => onMenu(page, at)}
      menuLabel={menuLabel}
      draw={draw}
    />
  );
}

/** Opens what the page in the editor lies in, and focuses it, when another page is shown. */
function useCurrentOpen(
  { tree, open, setOpen, current }: PageTreeProps,
  onShown: (key: string) => void,
): void {
  const shownFor = useRef<number>(undefined);
  useEffect(() => {
    if (current === undefined || shownFor.current === current || !tree.byId.has(current)) return;
    const closed = listAncestors(tree, current).filter((id) => !open.has(id));
    if (closed.length > 0) {
      setOpen(closed, true);
      return;
    }
    shownFor.current = current;
    onShown(String(current));
  }, [current, tree, open, setOpen, onShown]);
}

function toggled(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}
