import type { TabProps } from '../../store/page-store.ts';
import classes from './fields.module.css';
import { CodeField, PageFields } from './fields.tsx';

export function TemplateTab({ store }: TabProps) {
  return (
    <div className={classes['fill']}>
      <PageFields store={store} layout={['title']} />
      <CodeField store={store} name="html" />
    </div>
  );
}
