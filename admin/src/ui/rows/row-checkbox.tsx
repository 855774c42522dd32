import type { InputHTMLAttributes } from 'react';
import classes from './row-checkbox.module.css';

/** A checkbox for the rows of a long list: it looks like Mantine's, which costs more to draw than the rest of a row. */
export function RowCheckbox({ className = '', ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input type="checkbox" className={`${classes['box']} ${className}`} {...rest} />;
}
