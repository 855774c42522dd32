import { Kbd } from '@mantine/core';
import classes from './key-hint.module.css';
import { keyNames } from './keys.ts';

/** The keys of a command, for menus and tooltips. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className={classes['keys']}>
      {keyNames(keys).map((name) => (
        <Kbd key={name} size="xs">
          {name}
        </Kbd>
      ))}
    </span>
  );
}
