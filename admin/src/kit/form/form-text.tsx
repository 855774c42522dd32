import { PasswordInput, TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { t } from '../../base/i18n/index.ts';

export interface FormTextProps {
  readonly label: string;
  readonly help?: string | undefined;
  /** It has the focus when the dialog opens. */
  readonly isFirst?: boolean;
  readonly isOptional?: boolean;
  readonly isSecret?: boolean;
  /** What the browser may fill in. */
  readonly autoComplete?: string | undefined;
  readonly value: string;
  readonly error: string | undefined;
  onChange(value: string): void;
}

/** A text that a form in a dialog needs. */
export function FormText(props: FormTextProps) {
  const { label, help, isFirst, isOptional, isSecret, autoComplete, value, error, onChange } = props;
  const shared = {
    'data-autofocus': isFirst || undefined,
    label,
    description: help,
    required: isOptional !== true,
    autoComplete,
    value,
    error,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange(event.currentTarget.value),
  };
  if (isSecret !== true) return <TextInput {...shared} />;
  const toggle = { 'aria-label': t('session.showPassword') };
  return <PasswordInput {...shared} visibilityToggleButtonProps={toggle} />;
}
