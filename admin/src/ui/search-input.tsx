import { TextInput } from '@mantine/core';
import { Icon } from './icon.tsx';

export interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  /** It has the focus when the dialog opens. */
  readonly isFirst?: boolean;
  onChange(value: string): void;
}

/** A text filter: Esc clears it. */
export function SearchInput({ label, value, isFirst = false, onChange }: SearchInputProps) {
  return (
    <TextInput
      type="search"
      data-autofocus={isFirst || undefined}
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="magnifying-glass" />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onChange('');
      }}
    />
  );
}
