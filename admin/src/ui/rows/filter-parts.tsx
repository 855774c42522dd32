/** The parts of a bar that filters a list: conditions as chips, and the form of a new one. */

import { Button, Popover } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { Icon } from '../icons/icon.tsx';
import classes from './filter-parts.module.css';

/** A condition as a sentence; a click removes it. */
export function FilterChip({ text, onRemove }: { readonly text: string; onRemove(): void }) {
  return (
    <button
      type="button"
      className={classes['chip']}
      aria-label={t('entries.removeFilter', { filter: text })}
      onClick={onRemove}
    >
      {text} <Icon name="x" />
    </button>
  );
}

interface NewFilterProps {
  /** The fields of the form. */
  readonly children: ReactNode;
  onAdd(): void;
}

/** A button that opens the form of a new condition. */
export function NewFilter({ children, onAdd }: NewFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const add = (event: FormEvent) => {
    event.preventDefault();
    onAdd();
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" radius="md" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Icon name="funnel" />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('entries.filter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form className={classes['form']} onSubmit={add}>
          {children}
          <Button type="submit">{t('entries.addFilter')}</Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
