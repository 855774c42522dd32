import { Radio } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, requireData } from '../../../api/client.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { createPage } from '../../../content/page-requests.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import classes from './new-page.module.css';
import { TitleAndSlug, useTitleAndSlug } from './title-and-slug.tsx';

export interface NewPageProps {
  readonly parent: PageTreeEntry;
  onClose(): void;
}

/** A new page, with a layout if there are some. */
export function NewPage({ parent, onClose }: NewPageProps) {
  const { data: layouts = [] } = useQuery({
    queryKey: ['page-layouts'],
    queryFn: () => requireData(api.GET('/page-layouts')),
  });
  const named = useTitleAndSlug();
  const [chosenLayout, setLayout] = useState<string>();
  const preset = layouts.find((layout) => layout.default) ?? layouts[0];
  const layout = chosenLayout ?? String(preset?.id ?? '');
  const sending = useSubmit(async () => {
    const layoutId = layout === '' ? {} : { layout_id: Number(layout) };
    const page = await createPage({
      parent_id: parent.id,
      title: named.title,
      slug: named.slug,
      ...layoutId,
    });
    onClose();
    goTo(paths.page(page.root_id, page.id));
  });
  return (
    <FormDialog
      size={560}
      title={t('page.newTitle', { parent: parent.title })}
      submit={t('page.create')}
      sending={sending}
      onClose={onClose}
    >
      <TitleAndSlug state={named} above={parent.path} faults={sending.faults} />
      {layouts.length > 0 && (
        <Radio.Group label={t('page.layout')} value={layout} onChange={setLayout}>
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
      )}
    </FormDialog>
  );
}
