import type { TabProps } from '../../store/page-store.ts';
import classes from './fields.module.css';
import { CodeField, TextField } from './fields.tsx';

export function TemplateTab({ store }: TabProps) {
  return (
    <div className={classes['fill']}>
      <TextField store={store} name="title" />
      <CodeField store={store} name="html" />
    </div>
  );
}
