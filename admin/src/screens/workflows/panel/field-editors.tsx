/** How settings of nodes are edited: one editor for each kind of setting. */
import { Button, Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { recordOf } from '../../../api/failure.ts';
import { textIfKnown } from '../../../base/i18n/index.ts';
import { collections } from '../../../content/collections.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { useRowKeys } from '../../../ui/rows/row-keys.ts';
import { markOf, type NodeFault } from '../model/faults.ts';
import type { EditorKind, Setting } from '../model/settings.ts';
import classes from './node-panel.module.css';

const FlowCode = lazy(async () => ({ default: (await import('./flow-code.tsx')).FlowCode }));

export interface FieldProps {
  readonly setting: Setting;
  readonly label: string;
  readonly help: string | undefined;
  readonly value: unknown;
  /** What the server has refused, of this setting or inside of it. */
  readonly faults: readonly NodeFault[];
  onChange(value: unknown): void;
  /** An element of a list goes. Default: the list without it is the new value. */
  onRemove?(index: number): void;
}

const editors: Readonly<Record<EditorKind, ComponentType<FieldProps>>> = {
  text: TextField,
  value: TextField,
  cron: TextField,
  'number-or-text': NumberOrText,
  'custom-node': TextField,
  lines: LinesField,
  json: LinesField,
  code: CodeField,
  number: NumberField,
  flag: FlagField,
  choice: ChoiceField,
  collection: CollectionField,
  list: ListField,
  params: ParamsField,
};

export function SettingField(props: FieldProps) {
  const Editor = editors[props.setting.kind];
  return <Editor {...props} />;
}

/** Label above, help and error below. */
function shared({ label, help, faults, setting }: FieldProps) {
  return {
    label,
    description: help,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      | 'label'
      | 'input'
      | 'description'
      | 'error'
    )[],
    error: faults.length === 0 ? undefined : faults.map(({ text }) => text).join(' '),
    required: setting.isRequired,
    withAsterisk: false,
  };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function TextField(props: FieldProps) {
  const { setting, value, onChange } = props;
  return (
    <TextInput
      {...shared(props)}
      {...(setting.maxLength === undefined ? {} : { maxLength: setting.maxLength })}
      value={textOf(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A number stays a number; a placeholder is a text. */
function NumberOrText(props: FieldProps) {
  const { value, onChange } = props;
  return (
    <TextInput
      {...shared(props)}
      value={textOf(value)}
      onChange={({ currentTarget: { value: text } }) => {
        if (text === '') return onChange(undefined);
        onChange(/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);
      }}
    />
  );
}

function LinesField(props: FieldProps) {
  const { setting, value, onChange } = props;
  return (
    <Textarea
      {...shared(props)}
      autosize
      minRows={3}
      maxRows={16}
      {...(setting.kind === 'json' ? { className: classes['mono'] ?? '', spellCheck: false } : {})}
      value={textOf(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function CodeField({ label, value, faults, onChange }: FieldProps) {
  const { t } = useTranslation();
  const marks = useMemo(() => faults.flatMap(markOf), [faults]);
  // An editor takes longer to make than the rest of the panel: whoever goes on to another node does not wait for it.
  const isTime = useDeferredValue(true, false);
  return (
    <div>
      <div className={classes['label']}>{label}</div>
      <div className={classes['code']}>
        <Suspense>
          {isTime && <FlowCode label={label} value={textOf(value)} marks={marks} onChange={onChange} />}
        </Suspense>
      </div>
      {faults.map(({ text }) => (
        <p key={text} className={classes['error']}>
          {text}
        </p>
      ))}
      <p className="meta">{t('workflows.codeHelp')}</p>
    </div>
  );
}

function NumberField(props: FieldProps) {
  const { setting, value, onChange } = props;
  const { min, max } = setting;
  return (
    <NumberInput
      {...shared(props)}
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      placeholder={String(min ?? '')}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
    />
  );
}

function FlagField({ label, help, value, faults, onChange }: FieldProps) {
  return (
    <Checkbox
      label={label}
      description={help}
      error={faults[0]?.text}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked ? true : undefined)}
    />
  );
}

function ChoiceField(props: FieldProps) {
  const { setting, value, onChange } = props;
  const { name, options } = setting;
  const nameOf = (option: string) =>
    textIfKnown(`workflows.options.${name}.${option === '' ? '_' : option}`) ?? option;
  return (
    <NativeSelect
      {...shared(props)}
      data={options.map((option) => ({ value: option, label: nameOf(option) }))}
      value={typeof value === 'string' ? value : (options[0] ?? '')}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function CollectionField(props: FieldProps) {
  const { t } = useTranslation();
  const { value, onChange } = props;
  const { data: allCollections } = collections.useList();
  const known = (allCollections ?? []).map(({ slug, name }) => ({ value: slug, label: name }));
  const current = textOf(value);
  const others = known.some((option) => option.value === current) ? [] : [{ value: current, label: current }];
  const first = { value: '', label: t('workflows.chooseCollection') };
  return (
    <NativeSelect
      {...shared(props)}
      data={current === '' ? [first, ...known] : [...others, ...known]}
      value={current}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Rows of the same parts, such as headers or rules. */
function ListField({ setting, label, value, faults, onChange, onRemove }: FieldProps) {
  const { t } = useTranslation();
  const rows: readonly unknown[] = Array.isArray(value) ? value : [];
  const change = (index: number, name: string, next: unknown) =>
    onChange(rows.map((row, place) => (place === index ? { ...recordOf(row), [name]: next } : row)));
  const { keys, remove: removeKey } = useRowKeys(rows.length);
  const remove = (index: number) => {
    removeKey(index);
    if (onRemove === undefined) onChange(rows.filter((_, place) => place !== index));
    else onRemove(index);
  };
  const empty = Object.fromEntries(
    setting.columns.flatMap(({ name, kind, options, isRequired }) =>
      isRequired || kind === 'value' ? [[name, options[0] ?? '']] : [],
    ),
  );
  return (
    <fieldset className={classes['list']}>
      <legend className={classes['label']}>{label}</legend>
      {rows.map((row, index) => (
        <div key={keys[index]} className={classes['row']}>
          {setting.columns.map((column) => (
            <SettingField
              key={column.name}
              setting={column}
              label={t('workflows.element', { name: labelOf(column.name), index: index + 1 })}
              help={undefined}
              value={recordOf(row)[column.name]}
              faults={faultsIn(faults, `${setting.name}.${index}.${column.name}`)}
              onChange={(next) => change(index, column.name, next)}
            />
          ))}
          <Button
            variant="subtle"
            color="gray"
            aria-label={t('workflows.removeElement', { index: index + 1 })}
            onClick={() => remove(index)}
          >
            <Icon name="x" />
          </Button>
        </div>
      ))}
      {faults
        .filter(({ field }) => field === setting.name)
        .map(({ text }) => (
          <p key={text} className={classes['error']}>
            {text}
          </p>
        ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="plus" />}
        onClick={() => onChange([...rows, empty])}
      >
        {t('workflows.addElement')}
      </Button>
    </fieldset>
  );
}

/** Values by name, as JSON. */
function ParamsField(props: FieldProps) {
  const { value, onChange } = props;
  return (
    <Textarea
      {...shared(props)}
      autosize
      minRows={3}
      className={classes['mono'] ?? ''}
      defaultValue={JSON.stringify(value ?? {}, undefined, 2)}
      onChange={(event) => {
        try {
          onChange(recordOf(JSON.parse(event.currentTarget.value)));
        } catch {
          // What is typed is no JSON yet; the last that was stays.
        }
      }}
    />
  );
}

/** The name of a setting for people. */
export function labelOf(name: string): string {
  return textIfKnown(`workflows.settings.${name}`) ?? name;
}

/** Faults of a setting and of what is inside of it. */
export function faultsIn(faults: readonly NodeFault[], field: string): readonly NodeFault[] {
  return faults.filter((fault) => fault.field === field || fault.field.startsWith(`${field}.`));
}
