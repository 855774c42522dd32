import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { helpAbove } from '../../ui/layout/help-above.ts';
import classes from './entry-fields.module.css';
import type { ValueInputProps } from './value-input.ts';

/** The input for a value with parts: its JSON. Text that is no JSON yet is the value, which the server refuses. */
export function JsonInput({ field, value, error, help, onChange }: ValueInputProps) {
  const [text, setText] = useState(() => toJson(value));
  const shown = isSame(text, value) ? text : toJson(value);
  return (
    <Textarea
      {...helpAbove}
      label={field.label}
      description={help}
      withAsterisk={field.required}
      minRows={2}
      maxRows={16}
      classNames={{ input: classes['mono'] ?? '' }}
      value={shown}
      error={error}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(fromJson(currentTarget.value));
      }}
    />
  );
}

function isSame(text: string, value: unknown): boolean {
  return JSON.stringify(fromJson(text)) === JSON.stringify(value ?? null);
}

function toJson(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function fromJson(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
