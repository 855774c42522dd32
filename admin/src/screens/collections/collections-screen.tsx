import { useParams, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../base/router/paths.ts';
import { useCommands } from '../../commands/registry.ts';
import { useCollection } from '../../content/collections.ts';
import { ListAndDetail } from '../../kit/list/list-and-detail.tsx';
import { NothingOpen } from '../../kit/list/nothing-open.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { CollectionList } from './collection-list.tsx';
import { CollectionView } from './collection-view.tsx';
import { NewCollection } from './new-collection.tsx';

/** The collections, beside them the entries and the fields of one. */
export function CollectionsScreen() {
  const { t } = useTranslation();
  const params: { readonly ref?: string; readonly part?: string } = useParams({ strict: false });
  const search = useRouterState({ select: ({ location }) => location.searchStr.replace(/^\?/, '') });
  const [isNew, setNew] = useState(false);
  useCommands([{ id: 'collection.new', label: 'collections.new', icon: 'plus', run: () => setNew(true) }]);
  const ref = params.ref;
  return (
    <>
      <ListAndDetail
        id="collections"
        label={t('code.width')}
        list={<CollectionList current={ref} onNew={() => setNew(true)} />}
        isOpen={ref !== undefined}
      >
        {ref === undefined ? (
          <>
            <h1 className="visually-hidden">{t('nav.collections')}</h1>
            <EmptyState>{t('collections.choose')}</EmptyState>
          </>
        ) : (
          <OpenCollection key={ref} reference={ref} part={params.part ?? ''} search={search} />
        )}
      </ListAndDetail>
      {isNew && <NewCollection onClose={() => setNew(false)} />}
    </>
  );
}

interface OpenCollectionProps {
  readonly reference: string;
  readonly part: string;
  readonly search: string;
}

function OpenCollection({ reference, part, search }: OpenCollectionProps) {
  const { t } = useTranslation();
  const collection = useCollection(reference);
  if (collection === undefined) return null;
  if (collection === null)
    return (
      <NothingOpen list={{ name: t('nav.collections'), path: paths.collections() }} isFailed>
        {t('collections.missing')}
      </NothingOpen>
    );
  return <CollectionView collection={collection} part={part} search={search} />;
}
