import { TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
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
  const words = query.toLowerCase().split(/\s+/);
  const shown = hits.filter(({ name, help }) =>
    words.every((word) => `${name} ${help}`.toLowerCase().includes(word)),
  );
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
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that bubble from the text field
    <div className={classes['hits']} onKeyDown={press}>
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
      />
      <div id={list} role="listbox" aria-label={label} className={classes['list']}>
        {shown.map((hit) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the text field
          <div
            key={hit.id}
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
          </div>
        ))}
      </div>
      {shown.length === 0 && <p className="quiet">{none}</p>}
    </div>
  );
}
