import { Button, Menu } from '@mantine/core';
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { CommandIconButton } from '../../../commands/command-button.tsx';
import { useCommands } from '../../../commands/registry.ts';
import type { Collection } from '../../../content/collections.ts';
import { useDraftIds } from '../../../content/draft-names.ts';
import {
  chooseColumns,
  type ListQuery,
  parseListQuery,
  writeListQuery,
} from '../../../content/list-query.ts';
import { useMarks } from '../../../content/releases/marks.ts';
import { WithDetail } from '../../../kit/list/with-detail.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import { EntryEditor } from '../entries/entry-editor.tsx';
import { usePaste } from '../paste/use-paste.tsx';
import { EntriesBar } from './entries-bar.tsx';
import classes from './entries-tab.module.css';
import { EntryTable } from './entry-table.tsx';
import { FilterBar } from './filter-bar.tsx';

export interface EntriesTabProps {
  readonly collection: Collection;
  /** ID of the entry that is open, or `new`. */
  readonly open: number | 'new' | undefined;
  /** Query of the address. */
  readonly search: string;
}

/** The entries of a collection, and the open one beside them. */
export function EntriesTab({ collection, open, search }: EntriesTabProps) {
  const back = paths.collection(collection.slug, '', search);
  return (
    <WithDetail
      id="entry"
      label={t('entries.width')}
      widths={[340, 480, 900]}
      restMin={320}
      list={<EntryList key={collection.id} collection={collection} open={open} search={search} />}
      detail={open !== undefined && <EntryEditor key={open} collection={collection} id={open} back={back} />}
    />
  );
}

function EntryList({ collection, open, search }: EntriesTabProps) {
  const unsaved = useDraftIds(`item ${collection.id}`);
  const marks = useMarks('item');
  const [query, setQuery] = useState<ListQuery>(() => parseListQuery(search, collection));
  const [asked] = useDebouncedValue(query, 200);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [count, setCount] = useState(0);
  const [chosen, setChosen] = useLocalStorage<readonly string[] | null>({
    key: `ic-columns-${collection.id}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const shown = useMemo(
    () => chosen ?? chooseColumns(collection).map(({ name }) => name),
    [chosen, collection],
  );
  const written = writeListQuery(asked);
  // The address that is known here: another one comes from outside, by a link or "Back".
  const known = useRef(String(new URLSearchParams(search)));
  useEffect(() => {
    const address = String(new URLSearchParams(search));
    if (address !== known.current) {
      known.current = address;
      setQuery(parseListQuery(search, collection));
    } else if (asked === query && written !== address) {
      known.current = written;
      goTo(paths.collection(collection.slug, open ?? '', written), { replace: true });
    }
  }, [asked, query, written, search, collection, open]);
  // Other columns draw all rows anew.
  const columns = useMemo(
    () => collection.fields.filter(({ name }) => shown.includes(name)),
    [collection, shown],
  );
  const paste = usePaste(collection, columns, written);
  useCommands([paste.command]);
  return (
    <div className="fill">
      <div className={classes['bar']}>
        <FilterBar collection={collection} query={query} onQuery={setQuery} />
        <ColumnMenu collection={collection} shown={shown} onShow={setChosen} />
        <CommandIconButton command={paste.command} />
      </div>
      <EntryTable
        collection={collection}
        columns={columns}
        query={asked}
        current={typeof open === 'number' ? open : undefined}
        selected={selected}
        unsaved={unsaved}
        marks={marks}
        onQuery={setQuery}
        onSelect={setSelected}
        onCount={setCount}
      />
      {paste.dialog}
      {selected.size > 0 && (
        <EntriesBar
          collection={collection}
          query={written}
          count={count}
          selected={selected}
          onSelect={setSelected}
        />
      )}
    </div>
  );
}

interface ColumnMenuProps {
  readonly collection: Collection;
  readonly shown: readonly string[];
  onShow(names: readonly string[]): void;
}

function ColumnMenu({ collection, shown, onShow }: ColumnMenuProps) {
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="columns" />}>
          {t('entries.columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {collection.fields.map(({ name, label }) => (
          <Menu.CheckboxItem
            key={name}
            checked={shown.includes(name)}
            onChange={(isShown) =>
              onShow(isShown ? [...shown, name] : shown.filter((other) => other !== name))
            }
          >
            {label}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
