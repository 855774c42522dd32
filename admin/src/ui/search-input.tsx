import { TextInput } from '@mantine/core';
import { Icon } from './icon.tsx';

export interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}

/** A text filter: Esc clears it. */
export function SearchInput({ label, value, onChange }: SearchInputProps) {
  return (
    <TextInput
      type="search"
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
