import { useLocalStorage } from '@mantine/hooks';
import { type KeyboardEvent, useId, useState } from 'react';
import type { BlockType, GlobalBlock } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import { SearchInput } from '../../../ui/rows/search-input.tsx';
import { newBlock } from '../model/labels.ts';
import type { Place } from '../model/tree.ts';
import { addGlobal, addType, listName, refusalText } from '../state/actions.ts';
import type { BlockEditing } from '../state/editing.ts';
import classes from './insert-dialog.module.css';

export interface InsertDialogProps {
  readonly editing: BlockEditing;
  readonly place: Place;
  /** Called after something was added, or not. */
  onClose(isAdded: boolean): void;
}

interface Offer {
  readonly key: string;
  readonly name: string;
  readonly detail: string;
  readonly group: string;
  readonly isGlobal: boolean;
  /** Why it cannot be added here. */
  readonly refused: string | undefined;
  add(): void;
}

/** Most names under "recent". */
const maxRecent = 4;

/** Chooses what to add: recent ones first; what the place does not take is grey, with the reason. */
export function InsertDialog({ editing, place, onClose }: InsertDialogProps) {
  const [query, setQuery] = useState('');
  const [marked, setMarked] = useState(0);
  const listId = useId();
  const [recent, setRecent] = useLocalStorage<readonly string[]>({
    key: 'ic-recent-blocks',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const offers = ordered(
    offersFor(editing, place, { other: t('blocks.other'), globals: t('blocks.globals') }),
    recent,
    query,
    t('blocks.recent'),
  );
  const choose = (offer: Offer | undefined) => {
    if (offer === undefined || offer.refused !== undefined) return;
    setRecent([offer.key, ...recent.filter((key) => key !== offer.key)].slice(0, maxRecent));
    offer.add();
    onClose(true);
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) setMarked(Math.max(0, Math.min(offers.length - 1, marked + by)));
    else if (event.key === 'Enter') choose(offers[marked]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog
      onClose={() => onClose(false)}
      size={520}
      // The focus goes to the new block.
      returnFocus={false}
      title={t('blocks.insertInto', { name: listName(editing, place) })}
    >
      <div className="stack-12">
        <SearchInput
          label={t('blocks.search')}
          value={query}
          isFirst
          combobox={{
            role: 'combobox',
            'aria-expanded': true,
            'aria-controls': listId,
            'aria-activedescendant': offers[marked] && `${listId}-${marked}`,
          }}
          onKey={press}
          onChange={(next) => {
            setQuery(next);
            setMarked(0);
          }}
        />
        <div id={listId} className={classes['list']} role="listbox" aria-label={t('blocks.types')}>
          {offers.map((offer, index) => (
            <div key={`${offer.group} ${offer.key}`} role="presentation">
              {offers[index - 1]?.group !== offer.group && (
                <div className={classes['group']} role="presentation">
                  {offer.group}
                </div>
              )}
              <button
                type="button"
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === marked}
                aria-disabled={offer.refused !== undefined}
                className={classes['offer']}
                data-global={offer.isGlobal || undefined}
                ref={(element) => {
                  if (index === marked) element?.scrollIntoView({ block: 'nearest' });
                }}
                onClick={() => choose(offer)}
              >
                <Icon name={offer.isGlobal ? 'globe-simple' : 'rows'} size={20} />
                <span className={classes['name']}>{offer.name}</span>
                <span className="meta">{offer.refused ?? offer.detail}</span>
              </button>
            </div>
          ))}
          {offers.length === 0 && <p className="quiet">{t('blocks.noType')}</p>}
        </div>
      </div>
    </Dialog>
  );
}

function offersFor(
  editing: BlockEditing,
  place: Place,
  groups: { readonly other: string; readonly globals: string },
): readonly Offer[] {
  const ofType = (type: BlockType): Offer => {
    const refused = editing.refusal(place, [newBlock(type, '')]);
    return {
      key: type.name,
      name: type.label,
      detail: type.description,
      group: type.category || groups.other,
      isGlobal: false,
      refused: refused === undefined ? undefined : refusalText(refused),
      add: () => addType(editing, place, type),
    };
  };
  const ofGlobal = (global: GlobalBlock): Offer => {
    const refused = editing.refusal(place, [{ id: '', global: global.id }]);
    return {
      key: `global:${global.id}`,
      name: global.name,
      detail: global.description,
      group: groups.globals,
      isGlobal: true,
      refused: refused === undefined ? undefined : refusalText(refused),
      add: () => addGlobal(editing, place, global),
    };
  };
  const { types, globals } = editing.facts;
  const byGroup = [...types.values()].map(ofType);
  byGroup.sort((left, right) => left.group.localeCompare(right.group) || left.name.localeCompare(right.name));
  return [...byGroup, ...[...globals.values()].map(ofGlobal)];
}

/** What fits the search: recent ones first, refused ones last. */
function ordered(
  offers: readonly Offer[],
  recent: readonly string[],
  query: string,
  recentGroup: string,
): readonly Offer[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = offers.filter(({ name, detail, key }) =>
    words.every((word) => `${name} ${detail} ${key}`.toLowerCase().includes(word)),
  );
  const possible = fitting.filter(({ refused }) => refused === undefined);
  const used = recent.flatMap((key) => possible.filter((offer) => offer.key === key));
  return [
    ...used.map((offer) => ({ ...offer, group: recentGroup })),
    ...possible.filter((offer) => !used.includes(offer)),
    ...fitting.filter(({ refused }) => refused !== undefined),
  ];
}
