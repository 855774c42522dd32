import { MultiSelect } from '@mantine/core';
import type { InputProps } from '../../../kit/form/field-input.tsx';
import { faultAt } from '../../../kit/form/form-texts.ts';
import { helpAbove } from '../../../ui/layout/help-above.ts';
import { useRoles } from './queries.ts';

interface RoleSelectProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly value: readonly number[];
  onChange(ids: readonly number[]): void;
}

/** Any of the roles. */
export function RoleSelect({ label, help, error, value, onChange }: RoleSelectProps) {
  const all = useRoles();
  return (
    <MultiSelect
      {...helpAbove}
      label={label}
      description={help}
      error={error}
      data={all.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value.map(String)}
      searchable
      onChange={(chosen) => onChange(chosen.map(Number))}
    />
  );
}

/** The roles of an object in a form. */
export function RolesInput({ field, label, help, value, faults, onChange }: InputProps) {
  return (
    <RoleSelect
      label={label}
      help={help}
      error={faultAt(faults, field.name)}
      value={Array.isArray(value) ? value.map(Number) : []}
      onChange={onChange}
    />
  );
}
