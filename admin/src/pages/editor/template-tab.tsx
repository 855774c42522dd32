import classes from './fields.module.css';
import { CodeField, TextField } from './fields.tsx';
import type { TabProps } from './page-store.ts';

export function TemplateTab({ store }: TabProps) {
  return (
    <div className={classes['fill']}>
      <TextField store={store} name="title" />
      <CodeField store={store} name="html" />
    </div>
  );
}
