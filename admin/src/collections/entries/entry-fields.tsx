/** Inputs for the values of an entry, one for each type of field. */
import { Checkbox, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyCodeEditor } from '../../code/lazy-code-editor.tsx';
import { FileField } from '../../media/file-field.tsx';
import type { FieldType } from '../queries.ts';
import classes from './entry-fields.module.css';
import { ReferenceInput, ReferencesInput } from './reference-input.tsx';
import type { ValueInputProps } from './value-input.ts';

/** The input for a value, by the type of its field. */
export function ValueInput(props: ValueInputProps) {
  const Input = inputs[props.field.type];
  return <Input {...props} />;
}

const inputs = {
  text: (props) => <TextInput {...textProps(props)} />,
  url: (props) => <TextInput type="url" {...textProps(props)} />,
  date: DateInput,
  textarea: (props) => <Textarea autosize minRows={3} maxRows={16} {...textProps(props)} />,
  markdown: (props) => (
    <Textarea
      autosize
      minRows={6}
      maxRows={24}
      classNames={{ input: classes['mono'] ?? '' }}
      {...textProps(props)}
    />
  ),
  html: (props) => <CodeInput {...props} language="html" />,
  number: NumberValue,
  boolean: FlagInput,
  select: SelectInput,
  image: (props) => <FileInput {...props} isImage />,
  file: (props) => <FileInput {...props} />,
  reference: ReferenceInput,
  references: ReferencesInput,
  blocks: BlocksInput,
} as const satisfies Readonly<Record<FieldType, ComponentType<ValueInputProps>>>;

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

function textProps({ field, value, error, onChange }: ValueInputProps) {
  return {
    label: field.label,
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

function NumberValue({ field, value, error, onChange }: ValueInputProps) {
  return (
    <NumberInput
      label={field.label}
      withAsterisk={field.required}
      value={typeof value === 'number' ? value : textOf(value)}
      error={error}
      onChange={(next) => onChange(next === '' ? null : next)}
    />
  );
}

function FlagInput({ field, value, error, onChange }: ValueInputProps) {
  return (
    <Checkbox
      label={field.label}
      checked={value === true}
      error={error}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

function SelectInput(props: ValueInputProps) {
  const { field, value, error, onChange } = props;
  const current = textOf(value);
  // Without options any text is allowed.
  if (field.options.length === 0) return <TextInput {...textProps(props)} />;
  const options =
    field.options.includes(current) || current === '' ? field.options : [...field.options, current];
  return (
    <Select
      label={field.label}
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
  isImage = false,
  onChange,
}: ValueInputProps & { readonly isImage?: boolean }) {
  return (
    <FileField
      label={field.label}
      error={error}
      isImage={isImage}
      value={typeof value === 'number' ? value : null}
      onChange={onChange}
    />
  );
}

function CodeInput({
  field,
  value,
  error,
  language,
  onChange,
}: ValueInputProps & { readonly language: 'html' | 'js' }) {
  return (
    <div className={classes['code']}>
      <span className={classes['label']}>{field.label}</span>
      <LazyCodeEditor
        label={field.label}
        language={language}
        value={textOf(value)}
        onChange={(next) => onChange(next || null)}
      />
      {error !== undefined && <span className={classes['error']}>{error}</span>}
    </div>
  );
}

/** Blocks as JSON: the API takes a tree as text too, and says what is wrong with it. */
function BlocksInput(props: ValueInputProps) {
  const { t } = useTranslation();
  const { value } = props;
  const isText = value === null || typeof value === 'string';
  return (
    <div>
      <CodeInput {...props} value={isText ? value : JSON.stringify(value, undefined, 2)} language="js" />
      <span className="meta">{t('entries.blocksHelp')}</span>
    </div>
  );
}
