import { Input } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { helpAbove } from '../../ui/layout/help-above.ts';
import classes from './parts.module.css';
import type { ValueInputProps } from './value-input.ts';

export interface PartsBoxProps extends Pick<ValueInputProps, 'field' | 'error' | 'help'> {
  readonly children: ReactNode;
}

/** The inputs for the parts of one value, under its label. */
export function PartsBox({ field, error, help, children }: PartsBoxProps) {
  const id = useId();
  const described = [help === undefined ? '' : `${id}-help`, error === undefined ? '' : `${id}-error`];
  return (
    <Input.Wrapper
      {...helpAbove}
      label={field.label}
      labelElement="div"
      withAsterisk={field.required}
      description={help}
      descriptionProps={{ id: `${id}-help` }}
      error={error}
      errorProps={{ id: `${id}-error` }}
    >
      <fieldset
        className={classes['box']}
        aria-label={field.label}
        aria-describedby={described.filter(Boolean).join(' ') || undefined}
      >
        {children}
      </fieldset>
    </Input.Wrapper>
  );
}
