import { TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Icon } from '../../../ui/icons/icon.tsx';
import classes from './picker.module.css';

export interface Hit {
  readonly id: string;
  readonly name: string;
  readonly help: string;
  readonly icon: ReactNode;
  /** Heading above the first of its group. */
  readonly group?: string;
}

export interface HitListProps {
  readonly label: string;
  readonly hits: readonly Hit[];
  /** What is shown where nothing fits. */
  readonly none: string;
  onChoose(id: string): void;
}

/** A list with a search: arrows mark a row, Enter takes it. The focus stays in the text. */
export function HitList({ label, hits, none, onChoose }: HitListProps) {
  const list = useId();
  const [query, setQuery] = useState('');
  const [marked, setMarked] = useState(0);
  const shown = hitsFor(hits, query.trim().toLowerCase());
  const current = shown[Math.min(marked, shown.length - 1)];
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setMarked((Math.min(marked, shown.length - 1) + step + shown.length) % Math.max(1, shown.length));
    }
    if (event.key === 'Enter' && current !== undefined) {
      event.preventDefault();
      onChoose(current.id);
    }
  };
  return (
    <div className="stack-8">
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={list}
        aria-activedescendant={current === undefined ? undefined : `${list}-${current.id}`}
        placeholder={label}
        leftSection={<Icon name="magnifying-glass" />}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setMarked(0);
        }}
        onKeyDown={press}
      />
      <div id={list} role="listbox" aria-label={label} className={classes['list']}>
        {shown.map((hit) => (
          <button
            key={hit.id}
            type="button"
            id={`${list}-${hit.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={hit === current}
            className={classes['hit']}
            onClick={() => onChoose(hit.id)}
          >
            {hit.icon}
            <span>
              <b>{hit.name}</b>
              <span className="meta">{hit.help}</span>
            </span>
          </button>
        ))}
      </div>
      {shown.length === 0 && <p className="quiet">{none}</p>}
    </div>
  );
}

/** Hits with all words of the query: first those whose name begins with it, then those whose name has it. */
function hitsFor(hits: readonly Hit[], query: string): readonly Hit[] {
  const words = query.split(/\s+/);
  const fitting = hits.filter(({ name, help }) =>
    words.every((word) => `${name} ${help}`.toLowerCase().includes(word)),
  );
  const rank = ({ name }: Hit) => {
    const at = name.toLowerCase().indexOf(query);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return fitting.toSorted((left, right) => rank(left) - rank(right));
}
