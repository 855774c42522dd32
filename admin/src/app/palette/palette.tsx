import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { api, requireData } from '../../api/client.ts';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { preload } from '../../base/router/preload.ts';
import { KeyHint } from '../../commands/key-hint.tsx';
import { useOfferedCommands } from '../../commands/registry.ts';
import { runCommand } from '../../commands/run.ts';
import { useFocusBack } from '../../ui/floating/dialog.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import type { IconName } from '../../ui/icons/icons.ts';
import { takeEarlySearch } from './early-search.tsx';
import { useEntries } from './entries.ts';
import classes from './palette.module.css';
import { type Entry, maxRows, rank, serverQuery } from './rank.ts';
import { noteRecent } from './recent.ts';

const icons: Readonly<Record<Entry['kind'], IconName>> = {
  command: 'command',
  section: 'gear',
  page: 'file-text',
  snippet: 'puzzle-piece',
  asset: 'code',
  item: 'table',
  file: 'image',
};

/** Finds pages and commands by a few letters. Nothing exists only here. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal.Root opened onClose={onClose} returnFocus={false} size={640} yOffset="12vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={t('palette.title')} className={classes['content'] ?? ''}>
        <Modal.Body p={0}>
          <Search onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Search({ onClose }: { readonly onClose: () => void }) {
  const commands = useOfferedCommands();
  const entries = useEntries(commands);
  const [query, setQuery] = useState('');
  const [opener, setOpener] = useState(() => document.activeElement);
  useFocusBack(true, opener);
  const input = useRef<HTMLInputElement>(null);
  // Once it is on the screen: until then keys go into the input in its place.
  useLayoutEffect(() => {
    const early = takeEarlySearch();
    if (early !== undefined) {
      setQuery(early.text);
      setOpener(early.opener);
    }
    input.current?.focus();
  }, []);
  const deferred = useDeferredValue(query);
  const hits = useHits(query);
  const rows = useMemo(
    () => [...rank(entries, deferred), ...hits].slice(0, maxRows),
    [entries, deferred, hits],
  );
  const [marked, setMarked] = useState(0);
  const listId = useId();
  const current = Math.max(0, Math.min(marked, rows.length - 1));

  /** What Enter means: the list on the screen may still be that of fewer letters. */
  const typed = () => (query === deferred ? rows : [...rank(entries, query), ...hits])[current];
  const choose = (entry: Entry | undefined, inNewTab: boolean) => {
    if (entry === undefined) return;
    onClose();
    noteRecent(entry.id);
    const command = commands.find(({ id }) => entry.kind === 'command' && id === entry.target);
    // After the palette has closed and given back the focus.
    if (command !== undefined) setTimeout(() => void runCommand(command));
    else if (inNewTab) window.open(entry.target, '_blank', 'noopener');
    else goTo(entry.target);
  };
  const mark = (index: number) => {
    const next = (index + rows.length) % Math.max(1, rows.length);
    setMarked(next);
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
    const entry = rows[next];
    if (entry !== undefined && entry.kind !== 'command') preload(entry.target);
  };
  return (
    <>
      <div className={classes['head']}>
        <Icon name="magnifying-glass" size={20} />
        <input
          ref={input}
          data-autofocus
          className={classes['input']}
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={rows.length === 0 ? undefined : `${listId}-${current}`}
          aria-label={t('palette.title')}
          placeholder={t('palette.placeholder')}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setMarked(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') mark(current + 1);
            else if (event.key === 'ArrowUp') mark(current - 1);
            else if (event.key === 'Enter') choose(typed(), event.ctrlKey || event.metaKey);
            else return;
            event.preventDefault();
          }}
        />
      </div>
      <div
        id={listId}
        role="listbox"
        tabIndex={-1}
        aria-label={t('palette.results')}
        className={classes['list']}
      >
        {rows.map((entry, index) => {
          const keys = commands.find(({ id }) => entry.kind === 'command' && id === entry.target)?.keys;
          return (
            <div
              key={entry.id}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              className={classes['row']}
              onMouseMove={() => setMarked(index)}
              onClick={(event) => choose(entry, event.ctrlKey || event.metaKey)}
              onKeyDown={() => {}}
            >
              <Icon name={icons[entry.kind]} />
              <span className={classes['title']}>{entry.title}</span>
              <span className={classes['detail']}>{entry.detail}</span>
              {keys !== undefined && <KeyHint keys={keys} />}
            </div>
          );
        })}
        {rows.length === 0 && <p className={classes['none']}>{t('palette.none')}</p>}
      </div>
      <div className={classes['foot']}>{t('palette.hint')}</div>
    </>
  );
}

/** The server is asked so long after the last key, in milliseconds. */
const waitMs = 150;
const maxHits = 20;
const none: readonly Entry[] = [];

/** Entries and files that the server finds. They come later than the rest, so they stand below it. */
function useHits(query: string): readonly Entry[] {
  const [text] = useDebouncedValue(serverQuery(query), waitMs);
  const { data } = useQuery({
    queryKey: ['search', text],
    queryFn: async ({ signal }) => {
      const params = { query: { q: text, limit: maxHits } };
      return (await requireData(api.GET('/search', { params, signal }))).map(
        ({ kind, id, title, collection }): Entry => ({
          id: `${kind} ${id}`,
          kind,
          title: title || `#${id}`,
          detail: collection,
          target: kind === 'item' ? paths.collection(collection, id) : paths.media({ file: id }),
        }),
      );
    },
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
  return text === '' || serverQuery(query) === '' ? none : (data ?? none);
}
