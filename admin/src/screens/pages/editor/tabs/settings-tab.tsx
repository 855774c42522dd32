import { Select } from '@mantine/core';
import { t } from '../../../../base/i18n/index.ts';
import { usePageTree } from '../../../../content/pages.ts';
import { useField } from '../../../../editing/editor-store.ts';
import { FileField } from '../../../../editors/files/file-field.tsx';
import type { PageStore, TabProps } from '../../store/page-store.ts';
import classes from './fields.module.css';
import { FlagField, TextField } from './fields.tsx';
import { Translations } from './translations.tsx';

export function SettingsTab({ store }: TabProps) {
  const isHome = store.base.parent_id === null;
  return (
    <div className={classes['form']}>
      <div className={classes['pair']}>
        {!isHome && <TextField store={store} name="slug" isCode />}
        <TextField store={store} name="lang" placeholder={store.base.effective_lang} isCode />
      </div>
      <Translations store={store} />
      <section className={classes['section']}>
        <h2>{t('page.behaviour')}</h2>
        <FlagField store={store} name="hide_in_nav" />
        <FlagField store={store} name="catch_all" />
        <FlagField store={store} name="no_cache" />
      </section>
      {isHome && <SiteSettings store={store} />}
      <section className={classes['section']}>
        <h2>{t('page.markup')}</h2>
        <TextField store={store} name="html_attrs" isCode />
        <TextField store={store} name="body_attrs" isCode />
      </section>
    </div>
  );
}

/** Settings of the whole website, which its home page has. */
function SiteSettings({ store }: { readonly store: PageStore }) {
  const [icon, setIcon] = useField(store, 'favicon_file_id');
  const [notFound, setNotFound] = useField(store, 'notfound_page_id');
  const { data: pages = [] } = usePageTree();
  const choices = pages
    .filter((page) => page.root_id === store.base.id && page.parent_id !== null)
    .map(({ id, title, path }) => ({ value: String(id), label: `${title} (${path})` }));
  return (
    <section className={classes['section']}>
      <h2>{t('site.settings')}</h2>
      <TextField store={store} name="domains" help={t('site.domainsHelp')} isLong isCode />
      <FlagField store={store} name="default_site" />
      <Select
        label={t('fields.notfound_page_id')}
        description={t('help.notfound_page_id')}
        data={[{ value: '0', label: t('site.automatic') }, ...choices]}
        value={String(notFound)}
        searchable
        limit={50}
        allowDeselect={false}
        onChange={(value) => setNotFound(Number(value))}
      />
      <FileField
        label={t('fields.favicon_file_id')}
        help={t('help.favicon_file_id')}
        isImage
        value={icon}
        onChange={(file) => setIcon(file ?? 0)}
      />
      <TextField store={store} name="robots_txt" isLong isCode />
    </section>
  );
}
