import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { toRecord } from '../../../api/failure.ts';
import { t } from '../../../base/i18n/index.ts';
import type { InputProps } from '../../../kit/form/field-input.tsx';
import { faultAt } from '../../../kit/form/form-texts.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { useRows } from '../../../ui/rows/use-rows.ts';
import classes from './people.module.css';
import { RoleSelect } from './roles-input.tsx';

interface GroupRow {
  readonly group: string;
  readonly roleIds: readonly number[];
}

/** The roles of each group of the provider. */
export function GroupsInput({ field, label, help, value, faults, onChange }: InputProps) {
  // Rows without a name, or with one that stands twice, are only here.
  const [typed, setTyped] = useState(() => readRows(value));
  const rows = JSON.stringify(writeRows(typed)) === JSON.stringify(value) ? typed : readRows(value);
  const setRows = (next: readonly GroupRow[]) => {
    setTyped(next);
    onChange(writeRows(next));
  };
  const { keys, change, remove } = useRows(rows, setRows);
  const fault = faultAt(faults, field.name);
  return (
    <section className={classes['group']}>
      <h2>{label}</h2>
      {help !== undefined && <p className="quiet line">{help}</p>}
      {rows.map((row, index) => (
        <div key={keys[index]} className={classes['limit']}>
          <TextInput
            label={t('oidc.group', { place: index + 1 })}
            value={row.group}
            onChange={({ currentTarget }) => change(index, { ...row, group: currentTarget.value })}
          />
          <RoleSelect
            label={t('oidc.rolesOf', { place: index + 1 })}
            value={row.roleIds}
            onChange={(roleIds) => change(index, { ...row, roleIds })}
          />
          <ActionIcon
            aria-label={t('form.removeElement', { index: index + 1 })}
            onClick={() => remove(index)}
          >
            <Icon name="x" />
          </ActionIcon>
        </div>
      ))}
      {fault !== undefined && <p role="alert">{fault}</p>}
      <div>
        <Button
          variant="default"
          leftSection={<Icon name="plus" />}
          onClick={() => setRows([...rows, { group: '', roleIds: [] }])}
        >
          {t('oidc.addGroup')}
        </Button>
      </div>
    </section>
  );
}

function readRows(value: unknown): readonly GroupRow[] {
  return Object.entries(toRecord(value)).map(([group, ids]) => ({
    group,
    roleIds: [ids].flat().map(Number),
  }));
}

function writeRows(rows: readonly GroupRow[]): Readonly<Record<string, readonly number[]>> {
  return Object.fromEntries(
    rows.filter(({ group }) => group !== '').map(({ group, roleIds }) => [group, roleIds]),
  );
}
