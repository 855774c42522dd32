import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../../../api/client.ts';
import { toRecord } from '../../../../api/failure.ts';
import { t } from '../../../../base/i18n/index.ts';
import { useField } from '../../../../editing/editor-store.ts';
import type { PageStore, TabProps } from '../../store/page-store.ts';
import classes from './fields.module.css';
import { PageFields } from './fields.tsx';
import seo from './seo-tab.module.css';

/** Search engines cut longer texts, roughly. */
const shown = { title: 60, description: 160 } as const;

export function SeoTab({ store }: TabProps) {
  const [title] = useField(store, 'title');
  const [metaTitle] = useField(store, 'meta_title');
  const [description] = useField(store, 'description');
  return (
    <div className={classes['form']}>
      <SearchResult store={store} />
      <PageFields
        store={store}
        layout={['meta_title', 'description', 'og_image_file_id']}
        placeholders={{ meta_title: title }}
        help={{
          meta_title: t('seo.titleHelp', { count: (metaTitle || title).length, max: shown.title }),
          description: t('seo.descriptionHelp', { count: description.length, max: shown.description }),
        }}
      />
      <section className={classes['section']}>
        <h2>{t('seo.visibility')}</h2>
        <PageFields store={store} layout={['noindex', 'nofollow', 'sitemap_exclude']} />
      </section>
    </div>
  );
}

/** How the page may look in a list of search results, with the templates of title and description filled in. */
function SearchResult({ store }: { readonly store: PageStore }) {
  const [title] = useField(store, 'title');
  const [metaTitle] = useField(store, 'meta_title');
  const [description] = useField(store, 'description');
  const [unsaved] = useDebouncedValue({ title, meta_title: metaTitle, description }, 250);
  const { id, path } = store.base;
  const { data } = useQuery({
    queryKey: ['template-data', id, unsaved],
    queryFn: () =>
      requireData(api.POST('/pages/{id}/template-data', { params: { path: { id } }, body: unsaved })),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const page = toRecord(data?.variables['page']);
  return (
    <figure className={seo['result']}>
      <figcaption className="meta">{t('seo.result')}</figcaption>
      <div className={seo['address']}>{`${location.host}${path}`}</div>
      <div className={seo['title']}>{cut(textOf(page['meta_title'], metaTitle || title), shown.title)}</div>
      <div className={seo['description']}>
        {cut(textOf(page['description'], description), shown.description) || t('seo.noDescription')}
      </div>
    </figure>
  );
}

function textOf(filledIn: unknown, otherwise: string): string {
  return typeof filledIn === 'string' ? filledIn : otherwise;
}

function cut(value: string, length: number): string {
  return value.length > length ? `${value.slice(0, length - 1)}…` : value;
}
