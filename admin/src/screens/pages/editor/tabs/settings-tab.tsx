import { t } from '../../../../base/i18n/index.ts';
import type { TabProps } from '../../store/page-store.ts';
import classes from './fields.module.css';
import { PageFields } from './fields.tsx';
import { Translations } from './translations.tsx';

export function SettingsTab({ store }: TabProps) {
  const isHome = store.base.parent_id === null;
  return (
    <div className={classes['form']}>
      <PageFields
        store={store}
        layout={[isHome ? ['lang'] : ['slug', 'lang']]}
        placeholders={{ lang: store.base.effective_lang }}
      />
      <Translations store={store} />
      <section className={classes['section']}>
        <h2>{t('page.behaviour')}</h2>
        <PageFields store={store} layout={['hide_in_nav', 'catch_all', 'no_cache']} />
      </section>
      {isHome && (
        <section className={classes['section']}>
          <h2>{t('site.settings')}</h2>
          <PageFields
            store={store}
            layout={['domains', 'default_site', 'notfound_page_id', 'favicon_file_id', 'robots_txt', 'zone']}
          />
        </section>
      )}
      <section className={classes['section']}>
        <h2>{t('page.markup')}</h2>
        <PageFields store={store} layout={['html_attrs', 'body_attrs']} />
      </section>
    </div>
  );
}
