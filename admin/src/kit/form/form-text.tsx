import { TextInput } from '@mantine/core';

export interface FormTextProps {
  readonly label: string;
  readonly help?: string | undefined;
  /** It has the focus when the dialog opens. */
  readonly isFirst?: boolean;
  readonly isOptional?: boolean;
  readonly value: string;
  readonly error: string | undefined;
  onChange(value: string): void;
}

/** A text that a form in a dialog needs. */
export function FormText({
  label,
  help,
  isFirst = false,
  isOptional = false,
  value,
  error,
  onChange,
}: FormTextProps) {
  return (
    <TextInput
      data-autofocus={isFirst || undefined}
      label={label}
      description={help}
      required={!isOptional}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
