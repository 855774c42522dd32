/** Inputs for values, one for each type of field of a collection or parameter of a block. */

import { Checkbox, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { ComponentType } from 'react';
import type { FieldType } from '../../content/collections.ts';
import { helpAbove } from '../../ui/layout/help-above.ts';
import { FileField } from '../files/file-field.tsx';
import { GroupInput } from './group-input.tsx';
import { LinkInput } from './link-input.tsx';
import { joinFaults } from './parts.ts';
import { PlaceInput } from './place-input.tsx';
import { ReferenceInput, ReferencesInput } from './reference-input.tsx';
import { RichTextInput } from './rich-text-input.tsx';
import { ColorInput, MomentInput, OptionsInput } from './special-inputs.tsx';
import type { ValueInputProps } from './value-input.ts';

/** The input for a value, by the type of its field. Blocks have an editor of their own. */
export function ValueInput(props: ValueInputProps) {
  const { type, help: own } = props.field;
  if (type === 'blocks') return null;
  const Input = inputs[type];
  const help = [own, props.help].filter(Boolean).join(' ') || undefined;
  if (isOfParts(type)) return <Input {...props} help={help} />;
  // One input says all that is wrong with its value.
  return (
    <Input {...props} help={help} error={joinFaults({ error: props.error, inner: props.faults ?? {} })} />
  );
}

const inputs = {
  text: (props) => <TextInput {...textProps(props)} />,
  url: (props) => <TextInput type="url" {...textProps(props)} />,
  date: DateInput,
  textarea: (props) => <Textarea minRows={3} maxRows={16} {...textProps(props)} />,
  markdown: (props) => <RichInput {...props} format="markdown" />,
  html: (props) => <RichInput {...props} format="html" />,
  number: NumberValue,
  boolean: FlagInput,
  select: SelectInput,
  image: (props) => <FileInput {...props} isImage />,
  file: (props) => <FileInput {...props} />,
  reference: ReferenceInput,
  references: ReferencesInput,
  datetime: MomentInput,
  multiselect: OptionsInput,
  color: ColorInput,
  email: (props) => <TextInput type="email" {...textProps(props)} />,
  phone: (props) => <TextInput type="tel" {...textProps(props)} />,
  link: LinkInput,
  place: PlaceInput,
  group: (props) => <GroupInput {...props} partInput={ValueInput} />,
} as const satisfies Readonly<Record<Exclude<FieldType, 'blocks'>, ComponentType<ValueInputProps>>>;

function isOfParts(type: FieldType): boolean {
  return type === 'link' || type === 'place' || type === 'group';
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

function textProps({ field, value, error, help, placeholder, onChange }: ValueInputProps) {
  return {
    label: field.label,
    ...helpAbove,
    description: help,
    placeholder: placeholder ?? field.placeholder,
    withAsterisk: field.required,
    value: textOf(value),
    error,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value || null),
  };
}

/** A value that is no ISO date stays readable: then the input is one for text. */
function DateInput(props: ValueInputProps) {
  const isIso = props.value === null || /^\d{4}-\d\d-\d\d$/.test(textOf(props.value));
  return <TextInput {...(isIso ? { type: 'date' } : {})} {...textProps(props)} />;
}

function NumberValue({ field, value, error, help, onChange }: ValueInputProps) {
  return (
    <NumberInput
      {...helpAbove}
      label={field.label}
      description={help}
      placeholder={field.placeholder}
      withAsterisk={field.required}
      value={typeof value === 'number' ? value : textOf(value)}
      error={error}
      onChange={(next) => onChange(next === '' ? null : next)}
    />
  );
}

function FlagInput({ field, value, error, help, onChange }: ValueInputProps) {
  return (
    <Checkbox
      label={field.label}
      description={help}
      checked={value === true}
      error={error}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

function SelectInput(props: ValueInputProps) {
  const { field, value, error, help, onChange } = props;
  const current = textOf(value);
  // Without options any text is allowed.
  if (field.options.length === 0) return <TextInput {...textProps(props)} />;
  const options =
    field.options.includes(current) || current === '' ? field.options : [...field.options, current];
  return (
    <Select
      {...helpAbove}
      label={field.label}
      description={help}
      placeholder={field.placeholder}
      withAsterisk={field.required}
      data={[...options]}
      value={current === '' ? null : current}
      error={error}
      clearable={!field.required}
      searchable={options.length > 8}
      onChange={onChange}
    />
  );
}

function FileInput({
  field,
  value,
  error,
  help,
  isImage = false,
  onChange,
}: ValueInputProps & { readonly isImage?: boolean }) {
  return (
    <FileField
      label={field.label}
      help={help}
      error={error}
      isImage={isImage}
      value={typeof value === 'number' ? value : null}
      onChange={onChange}
    />
  );
}

/** What editors may add is a setting of the field; without one, all is allowed. */
function RichInput({
  field,
  value,
  error,
  help,
  format,
  onChange,
}: ValueInputProps & { readonly format: 'html' | 'markdown' }) {
  return (
    <RichTextInput
      label={field.label}
      format={format}
      settings={field}
      isRequired={field.required}
      help={help}
      error={error}
      value={textOf(value)}
      onChange={(next) => onChange(next || null)}
    />
  );
}
