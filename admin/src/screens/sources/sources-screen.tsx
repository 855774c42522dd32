import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { useCommands } from '../../commands/registry.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { FormText } from '../../kit/form/form-text.tsx';
import { NameAndSlug } from '../../kit/form/name-and-slug.tsx';
import { useSending } from '../../kit/form/sending.ts';
import { slugOf } from '../../kit/form/slug.ts';
import { ListAndDetail } from '../../kit/list/list-and-detail.tsx';
import { ListEntry, ListTag } from '../../kit/list/list-entry.tsx';
import { ListPane } from '../../kit/list/list-pane.tsx';
import { NothingOpen } from '../../kit/list/nothing-open.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import { sources } from './queries.ts';
import { SourceEditor } from './source-editor.tsx';

/** Lists that templates read from other servers. */
export function SourcesScreen() {
  const { t } = useTranslation();
  const params: { readonly id?: string } = useParams({ strict: false });
  const current = params.id === undefined ? undefined : Number(params.id);
  const { data: all } = sources.useList();
  const [query, setQuery] = useState('');
  const [isNew, setNew] = useState(false);
  useCommands([{ id: 'source.new', label: 'sources.new', icon: 'plus', run: () => setNew(true) }]);
  const shown = (all ?? []).filter(({ name, slug }) =>
    `${name} ${slug}`.toLowerCase().includes(query.toLowerCase()),
  );
  const open = all?.find(({ id }) => id === current);
  const isMissing = current !== undefined && all !== undefined && open === undefined;
  return (
    <>
      <ListAndDetail
        id="sources"
        label={t('code.width')}
        isOpen={current !== undefined}
        list={
          <ListPane
            title={t('nav.sources')}
            count={all?.length}
            add={{ label: t('sources.new'), run: () => setNew(true) }}
            filter={t('code.filter')}
            query={query}
            onQuery={setQuery}
          >
            {all !== undefined && shown.length === 0 && (
              <EmptyState>{t(all.length === 0 ? 'sources.none' : 'tree.noHit')}</EmptyState>
            )}
            {shown.length > 0 && (
              <VirtualRows
                label={t('nav.sources')}
                rows={shown}
                rowHeight={32}
                isPlain
                keyOf={({ id }) => id}
                render={({ id, name, method }) => (
                  <ListEntry href={paths.source(id)} isCurrent={id === current} name={name}>
                    <ListTag>{method}</ListTag>
                  </ListEntry>
                )}
              />
            )}
          </ListPane>
        }
      >
        {open === undefined ? (
          <NothingOpen list={{ name: t('nav.sources'), path: paths.sources() }} isFailed={isMissing}>
            {t(isMissing ? 'sources.missing' : 'sources.choose')}
          </NothingOpen>
        ) : (
          <SourceEditor key={open.id} source={open} />
        )}
      </ListAndDetail>
      {isNew && <NewSource onClose={() => setNew(false)} />}
    </>
  );
}

function NewSource({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [ownSlug, setOwnSlug] = useState<string>();
  const [url, setUrl] = useState('https://');
  const slug = ownSlug ?? slugOf(name);
  const sending = useSending(async () => {
    const { id } = await sources.create({ name, slug, url });
    onClose();
    goTo(paths.source(id));
  });
  return (
    <FormDialog title={t('sources.new')} submit={t('sources.create')} sending={sending} onClose={onClose}>
      <NameAndSlug name={name} slug={slug} faults={sending.faults} onName={setName} onSlug={setOwnSlug} />
      <FormText label={t('fields.url')} value={url} error={sending.faults['url']} onChange={setUrl} />
    </FormDialog>
  );
}
