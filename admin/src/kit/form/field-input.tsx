/** How a field of a form is edited: one input for each kind of field. */

import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { toRecord } from '../../api/failure.ts';
import { t } from '../../base/i18n/index.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { useRows } from '../../ui/rows/use-rows.ts';
import classes from './field-input.module.css';
import { type FormField, textsIn } from './form-field.ts';
import { type Faults, type FormTexts, faultAt, formatLabel, optionText } from './form-texts.ts';

export interface InputProps {
  readonly field: FormField;
  readonly label: string;
  readonly help?: string | undefined;
  /** What takes effect while it is empty. */
  readonly placeholder?: string | undefined;
  readonly value: unknown;
  /** What the server has refused, of this field or inside of it. */
  readonly faults: Faults;
  /** Of the values of a choice and of what is inside. */
  readonly texts: FormTexts;
  /** What is empty is no value: a form without it leaves the field out. */
  readonly isSparse?: boolean | undefined;
  onChange(value: unknown): void;
}

const inputs: Readonly<Record<string, ComponentType<InputProps>>> = {
  text: ShortText,
  lines: Lines,
  texts: Texts,
  'number-or-text': NumberOrText,
  number: Numeric,
  flag: Flag,
  choice: Choice,
  list: List,
};

/** The input that the kind of the field asks for. */
export function FieldInput(props: InputProps) {
  const Input = inputs[props.field.kind] ?? ShortText;
  return <Input {...props} />;
}

/** Label above, help and error below. */
export function toWrapperProps({ label, help, faults, field }: InputProps) {
  return {
    label,
    description: help,
    error: faultAt(faults, field.name),
    required: field.isRequired,
  };
}

/** A value as text; JSON if it is none. */
export function toInputText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const codeProps = { className: classes['mono'] ?? '', spellCheck: false };

function limitsOf({ field: { maxLength } }: InputProps) {
  return maxLength === undefined ? {} : { maxLength };
}

interface TextProps extends InputProps {
  /** It is read letter by letter. */
  readonly isCode?: boolean;
  /** Lines until it scrolls. */
  readonly maxRows?: number;
}

export function ShortText({
  isCode = false,
  leftSection,
  ...props
}: TextProps & { readonly leftSection?: ReactNode }) {
  return (
    <TextInput
      leftSection={leftSection}
      {...toWrapperProps(props)}
      {...limitsOf(props)}
      {...(isCode ? codeProps : {})}
      placeholder={props.placeholder}
      autoComplete="off"
      value={toInputText(props.value)}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

/** A text of several lines, which the schema does not tell from a short one. */
export function LongText({ isCode = false, maxRows, ...props }: TextProps) {
  return (
    <Textarea
      {...toWrapperProps(props)}
      {...(isCode ? codeProps : {})}
      {...(maxRows === undefined ? {} : { maxRows })}
      value={toInputText(props.value)}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

/** A text that has much room, but never the whole panel. */
export function Lines({ isCode = false, ...props }: TextProps) {
  return (
    <Textarea
      {...toWrapperProps(props)}
      minRows={3}
      maxRows={16}
      {...(isCode ? codeProps : {})}
      value={toInputText(props.value)}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

/** One text per line. */
function Texts(props: InputProps) {
  return (
    <LongText
      {...props}
      value={textsIn(props.value).join('\n')}
      onChange={(value) =>
        props.onChange(
          toInputText(value)
            .split('\n')
            .map((line) => line.trim()),
        )
      }
    />
  );
}

/** A text that is stored and never shown. */
export function SecretText(props: InputProps) {
  return (
    <PasswordInput
      {...toWrapperProps(props)}
      {...limitsOf(props)}
      autoComplete="new-password"
      value={toInputText(props.value)}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword') }}
    />
  );
}

/** A number stays a number; a placeholder is a text. */
function NumberOrText(props: InputProps) {
  return (
    <TextInput
      {...toWrapperProps(props)}
      value={toInputText(props.value)}
      onChange={({ currentTarget: { value: text } }) => {
        if (text === '') return props.onChange(undefined);
        props.onChange(/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);
      }}
    />
  );
}

function Numeric(props: InputProps) {
  const { field, value, isSparse = false, onChange } = props;
  const { min, max } = field;
  const empty = isSparse ? undefined : 0;
  return (
    <NumberInput
      {...toWrapperProps(props)}
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      placeholder={String(min ?? '')}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : empty)}
    />
  );
}

function Flag({ field, label, help, value, faults, isSparse = false, onChange }: InputProps) {
  const no = isSparse ? undefined : false;
  return (
    <Checkbox
      label={label}
      description={help}
      error={faultAt(faults, field.name)}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked ? true : no)}
    />
  );
}

/** A setting that takes effect by itself when it is on. */
export function Toggle({ label, help, value, onChange }: InputProps) {
  return (
    <Switch
      label={label}
      description={help}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

/** Any of the choices, in their order. */
export function Choices(props: InputProps) {
  const { field, texts, value, onChange } = props;
  const { name, options } = field;
  return (
    <Checkbox.Group
      {...toWrapperProps(props)}
      value={[...textsIn(value)]}
      onChange={(chosen) => onChange(options.filter((option) => chosen.includes(option)))}
    >
      <Group mt={4} gap={16}>
        {options.map((option) => (
          <Checkbox key={option} value={option} label={optionText(texts, name, option)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

function Choice(props: InputProps) {
  const { field, texts, value, onChange } = props;
  const { name, options } = field;
  return (
    <NativeSelect
      {...toWrapperProps(props)}
      data={options.map((option) => ({ value: option, label: optionText(texts, name, option) }))}
      value={typeof value === 'string' ? value : (options[0] ?? '')}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Rows of the same parts, such as headers or rules. */
function List({ field, label, texts, value, faults, onChange }: InputProps) {
  const rows: readonly unknown[] = Array.isArray(value) ? value : [];
  const { keys, change, remove } = useRows(rows, onChange);
  const own = faults[field.name];
  return (
    <fieldset className={classes['list']}>
      <legend className={classes['label']}>{label}</legend>
      {rows.map((row, index) => (
        <div key={keys[index]} className={classes['row']}>
          {field.columns.map((column) => (
            <FieldInput
              key={column.name}
              field={column}
              label={t('form.element', { name: formatLabel(texts, column.name), index: index + 1 })}
              value={toRecord(row)[column.name]}
              faults={partOf(faults, `${field.name}.${index}.`)}
              texts={texts}
              isSparse
              onChange={(next) => change(index, { ...toRecord(row), [column.name]: next })}
            />
          ))}
          <Button
            variant="subtle"
            color="gray"
            aria-label={t('form.removeElement', { index: index + 1 })}
            onClick={() => remove(index)}
          >
            <Icon name="x" />
          </Button>
        </div>
      ))}
      {own !== undefined && <p className={classes['error']}>{own}</p>}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="plus" />}
        onClick={() => onChange([...rows, emptyRow(field)])}
      >
        {t('form.addElement')}
      </Button>
    </fieldset>
  );
}

function emptyRow({ columns }: FormField): object {
  return Object.fromEntries(
    columns.flatMap(({ name, kind, options, isRequired }) =>
      isRequired || kind === 'value' ? [[name, options[0] ?? '']] : [],
    ),
  );
}

/** Faults inside of a path, by what follows it. */
function partOf(faults: Faults, prefix: string): Faults {
  return Object.fromEntries(
    Object.entries(faults).flatMap(([path, text]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), text]] : [],
    ),
  );
}
