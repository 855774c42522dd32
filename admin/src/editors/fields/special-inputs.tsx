/** Inputs for moments and for several options. */
import { MultiSelect, TagsInput, TextInput } from '@mantine/core';
import { helpAbove } from '../../ui/layout/help-above.ts';
import type { ValueInputProps } from './value-input.ts';

/** A moment in the time zone of the browser; the value is in UTC. */
export function MomentInput({ field, value, error, help, onChange }: ValueInputProps) {
  const moment = typeof value === 'string' ? new Date(value) : undefined;
  const isMoment = moment === undefined || !Number.isNaN(moment.getTime());
  return (
    <TextInput
      {...helpAbove}
      {...(isMoment ? { type: 'datetime-local', step: 1 } : {})}
      label={field.label}
      description={help}
      withAsterisk={field.required}
      value={moment === undefined ? '' : isMoment ? toLocal(moment) : String(value)}
      error={error}
      onChange={({ currentTarget }) => onChange(toUtc(currentTarget.value))}
    />
  );
}

function toLocal(moment: Date): string {
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** Null for nothing; text that is no moment stays, and the server refuses it. */
function toUtc(text: string): string | null {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return text || null;
  return `${moment.toISOString().slice(0, 19)}Z`;
}

export function OptionsInput({ field, value, error, help, onChange }: ValueInputProps) {
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const props = {
    ...helpAbove,
    label: field.label,
    description: help,
    placeholder: chosen.length === 0 ? field.placeholder : undefined,
    withAsterisk: field.required,
    value: chosen,
    error,
    onChange: (next: string[]) => onChange(next.length === 0 ? null : next),
  };
  if (field.options.length === 0) return <TagsInput {...props} />;
  return <MultiSelect {...props} data={[...new Set([...field.options, ...chosen])]} searchable />;
}
