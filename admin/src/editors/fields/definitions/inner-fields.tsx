import { Checkbox, Input } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { CollectionField } from '../../../content/collections.ts';
import type { Faults } from '../../../kit/form/form-texts.ts';
import { pickFaults } from '../parts.ts';
import { type ListRowProps, RowList } from '../row-list.tsx';
import classes from './field-row.module.css';
import { findKnown } from './known-field.ts';
import { newField } from './settings-of-type.ts';

interface InnerRow extends ListRowProps<CollectionField> {
  readonly field: CollectionField;
  readonly others: readonly CollectionField[];
  readonly known: CollectionField | undefined;
  readonly faults: Faults;
}

export interface InnerFieldsProps {
  readonly field: CollectionField;
  readonly known: CollectionField | undefined;
  readonly faults: Faults;
  onChange(field: CollectionField): void;
  /** The row of one field. */
  children(row: InnerRow): ReactNode;
}

/** The own fields of a group, and whether its values are lists. */
export function InnerFields({ field, known, faults, onChange, children }: InnerFieldsProps) {
  const inner = field.fields ?? [];
  const own = pickFaults(faults, 'fields');
  return (
    <>
      <Checkbox
        label={t('schema.many')}
        description={t('schema.manyHelp')}
        checked={field.many === true}
        error={faults['many']}
        onChange={({ currentTarget: { checked } }) => {
          const { many: _many, min: _min, max: _max, default: _default, ...single } = field;
          onChange(checked ? { ...single, many: true } : single);
        }}
      />
      <fieldset
        className={classes['list']}
        aria-label={t('schema.fieldsOf', { name: field.label || field.name })}
      >
        {own.error !== undefined && <Input.Error>{own.error}</Input.Error>}
        <RowList<CollectionField>
          items={inner}
          add={t('schema.addInner')}
          size="compact-sm"
          newItem={newField}
          // Type boundary: the row of a field in a group offers no groups and blocks.
          onChange={(fields) =>
            onChange({ ...field, fields: fields as NonNullable<CollectionField['fields']> })
          }
        >
          {(part, row) =>
            children({
              ...row,
              field: part,
              others: inner.filter((other) => other !== part),
              known: findKnown(known?.fields ?? [], inner, row.place),
              faults: pickFaults(own.inner, String(row.place)).inner,
            })
          }
        </RowList>
      </fieldset>
    </>
  );
}
