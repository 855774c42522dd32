import { type CSSProperties, memo, useCallback, useState } from 'react';
import { failureText } from '../../../api/failure-text.ts';
import { useAskedRange } from '../../../api/paged.ts';
import { t, timeText } from '../../../base/i18n/index.ts';
import { type RowText, useRowText } from '../../../base/i18n/row-text.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import type { Command } from '../../../commands/command.ts';
import { useDeleted } from '../../../commands/delayed.ts';
import type { Collection, CollectionField } from '../../../content/collections.ts';
import { type Entry, reorderEntries, useEntries } from '../../../content/entries.ts';
import { entryTitle } from '../../../content/entry-title.ts';
import { type ListQuery, nextSort, writeListQuery } from '../../../content/list-query.ts';
import type { WaitingMark } from '../../../content/releases/marks.ts';
import { deletionKey } from '../../../kit/delete/delete-command.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import { RowStatusMark } from '../../../ui/messages/status-mark.tsx';
import { RowCheckbox } from '../../../ui/rows/row-checkbox.tsx';
import { VirtualGrid } from '../../../ui/rows/virtual-grid.tsx';
import wide from '../../../ui/rows/wide-table.module.css';
import { CellValue } from '../cells/cell-value.tsx';
import { EntryCell } from '../cells/entry-cell.tsx';
import { useCellEditing } from '../cells/use-cell-editing.ts';
import { entryName } from '../entries/entry-commands.ts';
import { type AddressFault, findAddressFaults } from '../entries/entry-warnings.ts';
import classes from './entry-table.module.css';
import { moveInRow } from './row-keys.ts';
import { RowMenu, type RowMenuState } from './row-menu.tsx';

export interface EntryTableProps {
  readonly collection: Collection;
  readonly columns: readonly CollectionField[];
  readonly query: ListQuery;
  /** ID of the entry that is open. */
  readonly current: number | undefined;
  readonly selected: ReadonlySet<number>;
  readonly unsaved: ReadonlySet<number>;
  /** Entries with changes that wait. */
  readonly marks: ReadonlyMap<number, WaitingMark>;
  onQuery(query: ListQuery): void;
  onSelect(ids: ReadonlySet<number>): void;
  /** Told how many entries fit. */
  onCount(count: number): void;
}

/** The entries of a collection, a page of them at a time. */
export function EntryTable(props: EntryTableProps) {
  const { collection, columns, query, current, selected, unsaved, marks, onQuery, onSelect, onCount } = props;
  const rowText = useRowText();
  const deleted = useDeleted();
  const [range, setRange] = useAskedRange();
  const [menu, setMenu] = useState<RowMenuState>();
  const search = writeListQuery(query);
  const entries = useEntries(collection, search, range);
  const { count } = entries;
  const [told, setTold] = useState<number>();
  if (count !== undefined && count !== told) {
    setTold(count);
    queueMicrotask(() => onCount(count));
  }
  const select = useCallback(
    (id: number, isSelected: boolean) => {
      const next = new Set(selected);
      if (isSelected) next.add(id);
      else next.delete(id);
      onSelect(next);
    },
    [selected, onSelect],
  );
  if (entries.error !== undefined) return <EmptyState>{failureText(entries.error)}</EmptyState>;
  if (count === undefined) return null;
  if (count === 0) return <EmptyState>{t(search === '' ? 'entries.none' : 'entries.noHit')}</EmptyState>;
  const style = {
    '--columns':
      columns.length < 2
        ? 'minmax(160px, 1fr)'
        : `minmax(160px, 2fr) repeat(${columns.length - 1}, minmax(96px, 1fr))`,
    '--width': `${widthOf(columns.length)}px`,
  } as CSSProperties;
  const faults = findAddressFaults(collection, entries.loaded());
  return (
    <div className={wide['table']} style={style}>
      <div className={wide['inner']}>
        <Heads columns={columns} sort={query.sort} onSort={(sort) => onQuery({ ...query, sort })} />
        <VirtualGrid
          label={t('entries.title')}
          count={count}
          rowHeight={36}
          onRange={setRange}
          render={(index) => {
            const entry = entries.at(index);
            if (entry === undefined) return null;
            return (
              <Row
                key={entry.id}
                collection={collection}
                columns={columns}
                entry={entry}
                href={paths.collection(collection.slug, entry.id, search)}
                text={rowText}
                isCurrent={entry.id === current}
                isSelected={selected.has(entry.id)}
                isDeleted={deleted.has(deletionKey(entryName, entry.id))}
                isUnsaved={unsaved.has(entry.id)}
                mark={marks.get(entry.id)?.text}
                isOrdered={search === ''}
                fault={faults.get(entry.id)}
                before={entries.at(index - 1)}
                after={entries.at(index + 1)}
                onSelect={select}
                onMenu={setMenu}
              />
            );
          }}
        />
      </div>
      {menu !== undefined && <RowMenu {...menu} onClose={() => setMenu(undefined)} />}
    </div>
  );
}

/**
 * The narrowest row that holds all of itself, in pixels: 160 for the name, 96 for each other column, 264 for the
 * rest, a gap of 12 between all, 24 at the ends, and 16 for a scroll bar. Below it the end of each row is cut off.
 */
function widthOf(columns: number): number {
  return 160 + 96 * Math.max(0, columns - 1) + 264 + 12 * (columns + 3) + 24 + 16;
}

interface HeadsProps {
  readonly columns: readonly CollectionField[];
  readonly sort: string;
  onSort(sort: string): void;
}

/** A click sorts: rising, falling, then the order made by hand again. */
function Heads({ columns, sort, onSort }: HeadsProps) {
  const head = (name: string, label: string) => {
    const isSorted = sort === name || sort === `-${name}`;
    const direction = sort === name ? t('entries.rising') : t('entries.falling');
    return (
      <button
        key={name}
        type="button"
        className={classes['head']}
        aria-label={isSorted ? `${label}, ${direction}` : t('entries.sortBy', { name: label })}
        onClick={() => onSort(nextSort(sort, name))}
      >
        <span>{label}</span>
        {isSorted && <Icon name={sort === name ? 'caret-up' : 'caret-down'} />}
      </button>
    );
  };
  return (
    <div className={classes['heads']}>
      <span />
      {columns.length === 0 && <span className={classes['head']}>{t('entries.one')}</span>}
      {columns.map(({ name, label }) => head(name, label))}
      <span className={classes['head']}>{t('entries.status')}</span>
      {head('_updated', t('entries.changed'))}
      <span />
    </div>
  );
}

interface RowProps {
  readonly collection: Collection;
  readonly columns: readonly CollectionField[];
  readonly entry: Entry;
  readonly href: string;
  readonly text: RowText;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly isDeleted: boolean;
  readonly isUnsaved: boolean;
  /** Where changes of it wait. */
  readonly mark: string | undefined;
  /** Whether the list is in the order made by hand. */
  readonly isOrdered: boolean;
  /** Why visitors do not come to it. */
  readonly fault: AddressFault | undefined;
  /** The entries before and after it. */
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
  onSelect(id: number, isSelected: boolean): void;
  onMenu(menu: RowMenuState): void;
}

/** Drawn again only if the entry or its state is another one: scrolling brings new rows and leaves the others. */
const Row = memo(function Row(props: RowProps) {
  const { collection, columns, entry, text, href, isCurrent, isSelected, isDeleted, isUnsaved, isOrdered } =
    props;
  const { onSelect, onMenu, fault, mark } = props;
  const path = `…/${String(entry.data[collection.detail_field] ?? '')}`;
  const title = entryTitle(collection, entry);
  const editing = useCellEditing(collection, columns.slice(1), entry, title);
  const stored = mark !== undefined ? 'changed' : entry.published ? 'live' : 'draft';
  const status = isUnsaved ? 'unsaved' : stored;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only moves the focus between its links and buttons
    <div
      className={classes['row']}
      data-entry={entry.id}
      onKeyDown={moveInRow}
      data-current={isCurrent || undefined}
      data-deleted={isDeleted || undefined}
    >
      <RowCheckbox
        aria-label={text('entries.select', { title })}
        checked={isSelected}
        onChange={(event) => onSelect(entry.id, event.currentTarget.checked)}
      />
      {columns.map((field, index) => (
        <span
          key={field.name}
          className={classes['cell']}
          data-type={field.type}
          data-column={field.name}
          data-editing={editing.field === field.name || undefined}
        >
          {index === 0 ? (
            <Link href={href} className={classes['title']} aria-current={isCurrent || undefined}>
              <CellValue field={field} value={entry.data[field.name]} otherwise={title} />
            </Link>
          ) : (
            <EntryCell
              field={field}
              text={text}
              value={entry.data[field.name]}
              title={title}
              isEditing={editing.field === field.name}
              onEdit={() => editing.edit(field.name)}
              save={(value) => editing.save(field, value)}
              onDone={(step) => editing.done(field, step)}
            />
          )}
        </span>
      ))}
      {columns.length === 0 && <Link href={href}>{title}</Link>}
      <span className={classes['cell']}>
        <RowStatusMark
          status={status}
          word={status === 'changed' && mark !== undefined ? mark : text(`status.${status}`)}
        />
        {fault !== undefined && (
          <span className={classes['fault']} title={text(`entries.${fault}`, { path })}>
            <Icon name="warning-circle" />
            <span className="visually-hidden">{text(`entries.${fault}`, { path })}</span>
          </span>
        )}
      </span>
      <span className={classes['time']}>{timeText(entry.updated_at)}</span>
      {isOrdered ? (
        <button
          type="button"
          className={classes['more']}
          aria-label={text('entries.actionsOf', { title })}
          aria-haspopup="menu"
          onClick={({ currentTarget }) =>
            onMenu({ button: currentTarget, commands: moveCommands(collection.id, entry, props) })
          }
        >
          <Icon name="dots-three" size={20} />
        </button>
      ) : (
        <span />
      )}
    </div>
  );
});

function moveCommands(
  collection: number,
  { id }: Entry,
  { before, after }: Pick<RowProps, 'before' | 'after'>,
): readonly Command[] {
  return [
    {
      id: 'entry.moveUp',
      label: 'entries.moveUp',
      icon: 'arrow-up',
      can: () => before !== undefined,
      run: async () => {
        if (before !== undefined) await reorderEntries(collection, [id, before.id]);
      },
    },
    {
      id: 'entry.moveDown',
      label: 'entries.moveDown',
      icon: 'arrow-down',
      can: () => after !== undefined,
      run: async () => {
        if (after !== undefined) await reorderEntries(collection, [after.id, id]);
      },
    },
  ];
}
