import { Radio } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { createPage } from '../../../content/page-requests.ts';
import { type Page, type PageTreeEntry, pageLayoutsQuery } from '../../../content/pages.ts';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';
import classes from './new-page.module.css';
import { slugBelow } from './slug-below.ts';

interface NewPageFields {
  readonly title: string;
  readonly slug: string;
  /** ID of the chosen layout; empty for none. */
  readonly layout: string | undefined;
}

/** A new page, with a layout if there are some. */
export function NewPage({ parent, onClose }: { readonly parent: PageTreeEntry; onClose(): void }) {
  const { data: layouts = [] } = useQuery(pageLayoutsQuery);
  const preset = layouts.find((layout) => layout.default) ?? layouts[0];
  return (
    <CreateDialog<NewPageFields, Page>
      title={t('page.newTitle', { parent: parent.title })}
      size={560}
      submit={t('page.create')}
      initial={{ title: '', slug: '', layout: undefined }}
      fields={['title', slugBelow(parent)]}
      create={({ layout = String(preset?.id ?? ''), ...fields }) =>
        createPage({
          parent_id: parent.id,
          ...fields,
          ...(layout === '' ? {} : { layout_id: Number(layout) }),
        })
      }
      more={({ body: { layout = String(preset?.id ?? '') }, onChange }) =>
        layouts.length > 0 && (
          <Radio.Group
            label={t('page.layout')}
            value={layout}
            onChange={(chosen) => onChange({ layout: chosen })}
          >
            <div className={classes['layouts']}>
              {[...layouts, { id: '', label: t('page.noLayout'), description: t('page.noLayoutText') }].map(
                (entry) => (
                  <Radio.Card key={entry.id} value={String(entry.id)} className={classes['layout']}>
                    <b>{entry.label}</b>
                    <span className="meta">{entry.description}</span>
                  </Radio.Card>
                ),
              )}
            </div>
          </Radio.Group>
        )
      }
      onDone={(page) => goTo(paths.page(page.root_id, page.id))}
      onClose={onClose}
    />
  );
}
