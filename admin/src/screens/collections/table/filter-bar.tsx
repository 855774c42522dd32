import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { Collection, CollectionField } from '../../../content/collections.ts';
import { type Condition, type ListQuery, type Operator, operatorsOf } from '../../../content/list-query.ts';
import { FilterChip, NewFilter } from '../../../ui/rows/filter-parts.tsx';
import { SearchInput } from '../../../ui/rows/search-input.tsx';
import classes from './filter-bar.module.css';

export interface FilterBarProps {
  readonly collection: Collection;
  readonly query: ListQuery;
  onQuery(query: ListQuery): void;
}

/** Search and conditions of a list of entries. */
export function FilterBar({ collection, query, onQuery }: FilterBarProps) {
  const labelOf = (name: string) => collection.fields.find((field) => field.name === name)?.label ?? name;
  const without = (condition: Condition) =>
    onQuery({ ...query, conditions: query.conditions.filter((other) => other !== condition) });
  const textOfCondition = ({ field, operator, value }: Condition) => {
    const name = labelOf(field);
    if (operator === 'isnull') return `${name} ${t(isYes(value) ? 'entries.isEmpty' : 'entries.isFilled')}`;
    return `${name} ${t(`entries.operators.${operator}`)} ${value}`;
  };
  return (
    <div className={classes['bar']}>
      <div className={classes['search']}>
        <SearchInput
          label={t('entries.search')}
          value={query.search}
          onChange={(search) => onQuery({ ...query, search })}
        />
      </div>
      {query.conditions.map((condition) => (
        <FilterChip
          key={`${condition.field} ${condition.operator} ${condition.value}`}
          text={textOfCondition(condition)}
          onRemove={() => without(condition)}
        />
      ))}
      <NewCondition
        fields={collection.fields}
        onAdd={(condition) => onQuery({ ...query, conditions: [...query.conditions, condition] })}
      />
    </div>
  );
}

interface NewConditionProps {
  readonly fields: readonly CollectionField[];
  onAdd(condition: Condition): void;
}

function NewCondition({ fields, onAdd }: NewConditionProps) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<Operator>();
  const [value, setValue] = useState('');
  const field = fields.find((candidate) => candidate.name === name) ?? fields[0];
  if (field === undefined) return null;
  const operators = operatorsOf[field.type];
  const operator = operators.find((candidate) => candidate === chosen) ?? operators[0] ?? 'eq';
  const choices = choicesOf(field, operator);
  const add = () => {
    onAdd({ field: field.name, operator, value: value || (choices?.[0]?.value ?? '') });
    setValue('');
  };
  return (
    <NewFilter onAdd={add}>
      <NativeSelect
        label={t('entries.field')}
        data={fields.map((candidate) => ({ value: candidate.name, label: candidate.label }))}
        value={field.name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setValue('');
        }}
      />
      <NativeSelect
        label={t('entries.operator')}
        data={operators.map((candidate) => ({
          value: candidate,
          label: t(`entries.operators.${candidate}`),
        }))}
        value={operator}
        onChange={(event) => {
          setChosen(operators.find((candidate) => candidate === event.currentTarget.value));
          setValue('');
        }}
      />
      {choices === undefined ? (
        <TextInput
          label={t('entries.value')}
          type={field.type === 'date' || field.type === 'number' ? field.type : 'text'}
          required
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      ) : (
        <NativeSelect
          label={t('entries.value')}
          data={[...choices]}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      )}
    </NewFilter>
  );
}

/** The values to choose from; undefined if any can be typed. */
function choicesOf(
  { type, options }: CollectionField,
  operator: Operator,
): readonly { readonly value: string; readonly label: string }[] | undefined {
  if (operator === 'isnull')
    return [
      { value: '1', label: t('entries.isEmpty') },
      { value: '0', label: t('entries.isFilled') },
    ];
  if (type === 'boolean')
    return [
      { value: 'true', label: t('entries.yes') },
      { value: 'false', label: t('entries.no') },
    ];
  if (type === 'select' && options.length > 0) return options.map((value) => ({ value, label: value }));
  return undefined;
}

function isYes(value: string): boolean {
  return value === '1' || value === 'true';
}
