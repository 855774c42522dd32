import { Input } from '@mantine/core';
import type { ComponentType } from 'react';
import { t } from '../../base/i18n/index.ts';
import { FieldSections } from './field-sections.tsx';
import classes from './parts.module.css';
import { changeParts, type Parts, pickFaults, readPartsList } from './parts.ts';
import { PartsBox } from './parts-box.tsx';
import { RowList } from './row-list.tsx';
import { RowTools } from './row-tools.tsx';
import { isFieldShown } from './shown-fields.ts';
import type { ValueInputProps } from './value-input.ts';

export interface GroupInputProps extends ValueInputProps {
  /** The input for a part, which is a value of any other type. */
  readonly partInput: ComponentType<ValueInputProps>;
}

/** Fields that are one value together: one object, or a list of objects. */
export function GroupInput(props: GroupInputProps) {
  const { field, value, error, faults = {}, help, partInput, onChange } = props;
  const list = readPartsList(value);
  if (field.many !== true)
    return (
      <PartsBox field={field} help={help} error={error}>
        <GroupParts
          field={field}
          partInput={partInput}
          parts={list[0] ?? {}}
          faults={faults}
          onChange={onChange}
        />
      </PartsBox>
    );
  const max = typeof field.max === 'number' ? field.max : Number.POSITIVE_INFINITY;
  return (
    <PartsBox field={field} help={help} error={error}>
      <RowList<Parts>
        items={list}
        add={t('values.addTo', { name: field.label })}
        isFull={list.length >= max}
        size="compact-sm"
        newItem={{}}
        onChange={(next) => onChange(next.length === 0 ? null : next)}
      >
        {(parts, row) => {
          const { error: rowError, inner } = pickFaults(faults, String(row.place));
          const title = `${field.label} ${row.place + 1}`;
          return (
            <>
              <div className={classes['tools']}>
                <span>{title}</span>
                <RowTools {...row} size={28} title={title} />
              </div>
              {rowError !== undefined && <Input.Error>{rowError}</Input.Error>}
              <GroupParts
                field={field}
                partInput={partInput}
                parts={parts}
                faults={inner}
                onChange={(next) => row.onChange(next ?? {})}
              />
            </>
          );
        }}
      </RowList>
    </PartsBox>
  );
}

interface GroupPartsProps extends Pick<GroupInputProps, 'field' | 'partInput'> {
  readonly parts: Parts;
  readonly faults: NonNullable<ValueInputProps['faults']>;
  onChange(parts: Parts | null): void;
}

function GroupParts({ field, partInput: PartInput, parts, faults, onChange }: GroupPartsProps) {
  const shown = (field.fields ?? []).filter((part) => isFieldShown(part, (name) => parts[name]));
  return (
    <FieldSections fields={shown}>
      {(part) => {
        const { error, inner } = pickFaults(faults, part.name);
        return (
          <PartInput
            key={part.name}
            field={part}
            value={parts[part.name] ?? null}
            error={error}
            faults={inner}
            onChange={(next) => onChange(changeParts(parts, { [part.name]: next }))}
          />
        );
      }}
    </FieldSections>
  );
}
