import { Button, Checkbox, Group, NativeSelect } from '@mantine/core';
import type { Grant } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import type { InputProps } from '../../../kit/form/field-input.tsx';
import { faultAt } from '../../../kit/form/form-texts.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { useRows } from '../../../ui/rows/use-rows.ts';
import { useGrantNames } from './grant-names.ts';
import { describeGrant, type LimitName, limitNames } from './grant-text.ts';
import { LimitInput } from './limit-input.tsx';
import classes from './people.module.css';

const actions = ['read', 'edit', 'publish', 'delete', 'code', 'run', 'settings', 'users'] as const;

/** The grants of a role: each with its actions, its limits, and the sentence that they make. */
export function GrantsInput({ field, label, help, value, faults, onChange }: InputProps) {
  // Type boundary: the server has checked the value, or this input has made it.
  const grants = (Array.isArray(value) ? value : []) as readonly Grant[];
  const { keys, change, remove } = useRows(grants, onChange);
  const fault = faultAt(faults, field.name);
  return (
    <section className={classes['group']}>
      <h2>{label}</h2>
      {help !== undefined && <p className="quiet line">{help}</p>}
      {grants.map((grant, index) => (
        <GrantCard
          key={keys[index]}
          grant={grant}
          place={index + 1}
          onChange={(next) => change(index, next)}
          onRemove={() => remove(index)}
        />
      ))}
      {fault !== undefined && <p role="alert">{fault}</p>}
      <div>
        <Button
          variant="default"
          leftSection={<Icon name="plus" />}
          onClick={() => onChange([...grants, { actions: ['read'], on: {} }])}
        >
          {t('rights.add')}
        </Button>
      </div>
    </section>
  );
}

interface GrantCardProps {
  readonly grant: Grant;
  readonly place: number;
  onChange(grant: Grant): void;
  onRemove(): void;
}

function GrantCard({ grant, place, onChange, onRemove }: GrantCardProps) {
  const names = useGrantNames();
  const { on = {} } = grant;
  const sentence = describeGrant(grant, names).join(' ') || t('rights.none');
  const set = (name: LimitName, entries: readonly (string | number)[] | undefined) => {
    const { [name]: _before, ...others } = on;
    // Type boundary: the input of a limit answers with its entries.
    const next = entries === undefined ? others : { ...others, [name]: entries };
    onChange({ ...grant, on: next as Grant['on'] & object });
  };
  const free = limitNames.filter((name) => on[name] === undefined);
  return (
    <fieldset className={classes['grant']}>
      <legend className="visually-hidden">{t('rights.grant', { place })}</legend>
      <b aria-live="polite">{sentence}</b>
      <Checkbox.Group
        label={t('rights.actions')}
        value={[...grant.actions]}
        onChange={(chosen) =>
          onChange({ ...grant, actions: actions.filter((action) => chosen.includes(action)) })
        }
      >
        <Group mt={4} gap="8px 16px">
          {actions.map((action) => (
            <Checkbox key={action} value={action} label={t(`rights.actionNames.${action}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      {limitNames.map((name) => {
        const entries = on[name];
        return (
          entries !== undefined && (
            <LimitInput
              key={name}
              name={name}
              value={entries}
              onChange={(next) => set(name, next)}
              onRemove={() => set(name, undefined)}
            />
          )
        );
      })}
      <div className={classes['limit']}>
        {free.length > 0 && (
          <NativeSelect
            label={t('rights.limit')}
            data={[
              { value: '', label: t('rights.chooseLimit') },
              ...free.map((name) => ({ value: name, label: t(`rights.limits.${name}`) })),
            ]}
            value=""
            onChange={({ currentTarget }) => {
              const name = free.find((limit) => limit === currentTarget.value);
              if (name !== undefined) set(name, []);
            }}
          />
        )}
        <Button
          variant="subtle"
          color="brick"
          aria-label={t('rights.removeGrant', { place })}
          onClick={onRemove}
        >
          {t('actions.delete')}
        </Button>
      </div>
    </fieldset>
  );
}
