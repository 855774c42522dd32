import { NativeSelect, TagsInput } from '@mantine/core';
import type { ShowCondition } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import type { CollectionField } from '../../../content/collections.ts';
import type { Faults } from '../../../kit/form/form-texts.ts';
import { helpAbove } from '../../../ui/layout/help-above.ts';
import { ValueInput } from '../entry-fields.tsx';
import classes from './field-row.module.css';
import { valueClasses } from './settings-of-type.ts';

export interface ConditionInputProps {
  readonly condition: ShowCondition | undefined;
  /** The fields beside the one that is shown. */
  readonly others: readonly CollectionField[];
  /** By the path below the condition, such as `.value`. */
  readonly faults: Faults;
  onChange(condition: ShowCondition | undefined): void;
}

/** When forms show a field: another field, how it is compared, and with what. */
export function ConditionInput({ condition, others, faults, onChange }: ConditionInputProps) {
  const named = others.filter(({ name }) => name !== '');
  const other = named.find(({ name }) => name === condition?.field);
  const change = (next: Partial<ShowCondition>) => {
    if (condition !== undefined) onChange(withValue({ ...condition, ...next }, other));
  };
  return (
    <div className={classes['pair']}>
      <NativeSelect
        {...helpAbove}
        label={t('schema.show_if')}
        description={t('schema.conditionHelp')}
        data={[
          { value: '', label: t('schema.always') },
          ...named.map(({ name, label }) => ({ value: name, label: label || name })),
          // What is gone or renamed stays to be seen.
          ...(condition !== undefined && other === undefined ? [condition.field] : []),
        ]}
        value={condition?.field ?? ''}
        error={faults['field'] ?? faults['']}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === '' ? undefined : { field: value, op: 'set' })
        }
      />
      {condition !== undefined && (
        <NativeSelect
          label={t('schema.op')}
          data={operatorsFor(other).map((value) => ({ value, label: t(`schema.ops.${value}`) }))}
          value={condition.op}
          error={faults['op']}
          onChange={(event) => {
            const op = operators.find((known) => known === event.currentTarget.value) ?? 'set';
            change({ op });
          }}
        />
      )}
      {condition !== undefined && other !== undefined && condition.op !== 'set' && (
        <ComparedValue
          op={condition.op}
          field={other}
          value={condition.value}
          error={faults['value']}
          onChange={(value) => change({ value })}
        />
      )}
    </div>
  );
}

const operators = ['set', 'eq', 'ne', 'in'] as const satisfies readonly ShowCondition['op'][];

/** Values with parts, lists of entries and blocks are only there or not. */
function operatorsFor(field: CollectionField | undefined): readonly ShowCondition['op'][] {
  const valueClass = field === undefined ? 'text' : valueClasses[field.type];
  if (field?.type === 'multiselect') return operators;
  if (valueClass === 'flag') return ['set', 'eq', 'ne'];
  return valueClass === 'object' || valueClass === 'tree' || valueClass === 'list' ? ['set'] : operators;
}

/** A condition with what its operator needs, and nothing else. */
function withValue({ field, op, value }: ShowCondition, other: CollectionField | undefined): ShowCondition {
  if (op === 'set') return { field, op };
  if (op === 'in') return { field, op, value: Array.isArray(value) ? value : [value].filter(Boolean) };
  const single: unknown = Array.isArray(value) ? value[0] : value;
  return { field, op, value: single ?? (other?.type === 'boolean' ? true : '') };
}

interface ComparedValueProps {
  readonly op: ShowCondition['op'];
  readonly field: CollectionField;
  readonly value: unknown;
  readonly error: string | undefined;
  onChange(value: unknown): void;
}

function ComparedValue({ op, field, value, error, onChange }: ComparedValueProps) {
  const { name, options, collection } = field;
  const label = t('schema.value');
  if (op === 'in' && options.length === 0)
    return (
      <TagsInput
        label={label}
        value={Array.isArray(value) ? value.map(String) : []}
        error={error}
        onChange={onChange}
      />
    );
  const isOption = field.type === 'multiselect' || field.type === 'select';
  const type = isOption ? (op === 'in' ? 'multiselect' : 'select') : inputTypes[field.type];
  return (
    <ValueInput
      field={{ name, label, type: type ?? field.type, required: false, options, collection }}
      value={value ?? null}
      error={error}
      onChange={(next) => onChange(next ?? (op === 'in' ? [] : ''))}
    />
  );
}

/** Rich text is compared as it is stored. */
const inputTypes: Partial<Readonly<Record<CollectionField['type'], CollectionField['type']>>> = {
  textarea: 'text',
  html: 'text',
  markdown: 'text',
};
