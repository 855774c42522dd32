import type { ReactNode } from 'react';
import classes from './parts.module.css';
import { toFieldSections } from './shown-fields.ts';

export interface FieldSectionsProps<Field> {
  readonly fields: readonly Field[];
  /** @returns the input of a field with its key */
  children(field: Field): ReactNode;
}

/** The inputs of fields; those of one group stand together under its name. */
export function FieldSections<Field extends { readonly group?: string }>({
  fields,
  children,
}: FieldSectionsProps<Field>) {
  return toFieldSections(fields).flatMap(({ name, fields: own }) => {
    const inputs = own.map(children);
    if (name === '') return inputs;
    return (
      <fieldset key={`group ${name}`} className={classes['section']}>
        <legend>{name}</legend>
        {inputs}
      </fieldset>
    );
  });
}
