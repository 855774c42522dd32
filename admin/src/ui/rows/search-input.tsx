import { TextInput } from '@mantine/core';
import type { InputHTMLAttributes, KeyboardEvent } from 'react';
import { Icon } from '../icons/icon.tsx';

type ComboboxAttributes = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'role' | 'aria-expanded' | 'aria-controls' | 'aria-activedescendant'
>;

export interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  /** It has the focus when the dialog opens. */
  readonly isFirst?: boolean;
  /** Attributes of a field that marks rows of a list. */
  readonly combobox?: ComboboxAttributes;
  /** Keys besides Esc, such as arrows that mark a row of a list. */
  onKey?(event: KeyboardEvent): void;
  onChange(value: string): void;
}

/** A text filter: Esc clears it. */
export function SearchInput({ label, value, isFirst = false, combobox, onKey, onChange }: SearchInputProps) {
  return (
    <TextInput
      type="search"
      {...combobox}
      data-autofocus={isFirst || undefined}
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="magnifying-glass" />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onChange('');
        else onKey?.(event);
      }}
    />
  );
}
