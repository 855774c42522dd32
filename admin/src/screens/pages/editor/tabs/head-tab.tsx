import { t } from '../../../../base/i18n/index.ts';
import type { TabProps } from '../../store/page-store.ts';
import classes from './fields.module.css';
import { CodeField } from './fields.tsx';

export function HeadTab({ store }: TabProps) {
  return (
    <div className={classes['fill']}>
      <p className="quiet" style={{ margin: 0 }}>
        {t('page.headHelp')}
      </p>
      <CodeField store={store} name="head" />
    </div>
  );
}
