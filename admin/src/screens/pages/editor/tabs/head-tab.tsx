import { useTranslation } from 'react-i18next';
import type { TabProps } from '../../store/page-store.ts';
import classes from './fields.module.css';
import { CodeField } from './fields.tsx';

export function HeadTab({ store }: TabProps) {
  const { t } = useTranslation();
  return (
    <div className={classes['fill']}>
      <p className="quiet" style={{ margin: 0 }}>
        {t('page.headHelp')}
      </p>
      <CodeField store={store} name="head" />
    </div>
  );
}
