import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { FilterChip, NewFilter } from '../../ui/rows/filter-parts.tsx';
import classes from './databases.module.css';
import type { Column, ExtdbTableDetail } from './queries.ts';
import { type Operator, operators, type RowsQuery, type Rule, takesValue } from './rows-query.ts';

export interface RuleBarProps {
  readonly columns: readonly Column[];
  readonly views: ExtdbTableDetail['views'];
  readonly query: RowsQuery;
  onQuery(query: Partial<RowsQuery>): void;
}

/** Which rows are shown: a saved view of the service, and rules for columns. */
export function RuleBar({ columns, views, query, onQuery }: RuleBarProps) {
  const { rules, match, view } = query;
  const change = (next: readonly Rule[]) => onQuery({ rules: next, page: 1 });
  const textOf = ({ col, op, val }: Rule) =>
    `${col} ${t(`workflows.settings.options.op.${op}`)}${takesValue(op) ? ` ${String(val ?? '')}` : ''}`;
  return (
    <div className={classes['rules']}>
      {views.length > 0 && (
        <NativeSelect
          aria-label={t('workflows.settings.view')}
          data={[
            { value: '', label: t('databases.allRows') },
            ...views.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={view}
          onChange={(event) => onQuery({ view: event.currentTarget.value, page: 1 })}
        />
      )}
      {rules.map((rule) => (
        <FilterChip
          key={textOf(rule)}
          text={textOf(rule)}
          onRemove={() => change(rules.filter((other) => other !== rule))}
        />
      ))}
      {rules.length > 1 && (
        <NativeSelect
          aria-label={t('workflows.settings.match')}
          data={[
            { value: 'and', label: t('databases.allRules') },
            { value: 'or', label: t('databases.oneRule') },
          ]}
          value={match}
          onChange={(event) => onQuery({ match: event.currentTarget.value === 'or' ? 'or' : 'and', page: 1 })}
        />
      )}
      <NewRule columns={columns} onAdd={(rule) => change([...rules, rule])} />
    </div>
  );
}

function NewRule({ columns, onAdd }: { readonly columns: readonly Column[]; onAdd(rule: Rule): void }) {
  const [chosen, setChosen] = useState('');
  const [op, setOp] = useState<Operator>('eq');
  const [value, setValue] = useState('');
  const column = columns.find(({ name }) => name === chosen) ?? columns[0];
  if (column === undefined) return null;
  const add = () => {
    onAdd({ col: column.name, op, ...(takesValue(op) ? { val: value } : {}) });
    setValue('');
  };
  return (
    <NewFilter onAdd={add}>
      <NativeSelect
        label={t('workflows.settings.col')}
        data={columns.map(({ name }) => name)}
        value={column.name}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('entries.operator')}
        data={operators.map((operator) => ({
          value: operator,
          label: t(`workflows.settings.options.op.${operator}`),
        }))}
        value={op}
        onChange={(event) =>
          setOp(operators.find((operator) => operator === event.currentTarget.value) ?? 'eq')
        }
      />
      {takesValue(op) && (
        <TextInput
          label={t('entries.value')}
          description={op === 'in' || op === 'not_in' ? t('databases.listHelp') : undefined}
          required
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      )}
    </NewFilter>
  );
}
