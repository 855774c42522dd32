import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { failureText } from '../../../api/failure-text.ts';
import { t } from '../../../base/i18n/index.ts';
import { paths } from '../../../base/router/paths.ts';
import { ListAndDetail } from '../../../kit/list/list-and-detail.tsx';
import { ListPane } from '../../../kit/list/list-pane.tsx';
import { HiddenTitle } from '../../../ui/layout/hidden-title.tsx';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import { Strip } from '../../../ui/messages/strip.tsx';
import { groupOperations } from './description.ts';
import { OperationList } from './operation-list.tsx';
import { OperationView } from './operation-view.tsx';
import { useReference } from './queries.ts';
import classes from './reference.module.css';

/** Every call of the API, from the description that the server makes of its own routes. */
export function ReferenceScreen() {
  const params: { readonly operation?: string } = useParams({ strict: false });
  const { reference, error } = useReference();
  const [query, setQuery] = useState('');
  const operations = reference?.operations;
  const groups = useMemo(() => groupOperations(operations ?? [], query), [operations, query]);
  const open = operations?.find(({ id }) => id === params.operation);
  const isMissing = reference !== undefined && params.operation !== undefined && open === undefined;
  return (
    <ListAndDetail
      id="reference"
      label={t('code.width')}
      isOpen={params.operation !== undefined}
      list={
        <ListPane
          title={t('nav.api')}
          count={operations?.length}
          filter={t('reference.filter')}
          query={query}
          onQuery={setQuery}
        >
          {error !== null && <Strip tone="brick">{failureText(error)}</Strip>}
          {reference !== undefined && groups.length === 0 && <EmptyState>{t('tree.noHit')}</EmptyState>}
          {groups.length > 0 && <OperationList key={query} groups={groups} current={open?.id} />}
        </ListPane>
      }
    >
      {open !== undefined && reference !== undefined ? (
        <OperationView key={open.id} operation={open} description={reference.description} />
      ) : (
        <>
          <HiddenTitle>{t('nav.api')}</HiddenTitle>
          <EmptyState>
            {t(isMissing ? 'reference.missing' : 'reference.choose')}{' '}
            <a className={classes['raw']} href={paths.apiDescription()} target="_blank" rel="noopener">
              {t('reference.raw')}
            </a>
          </EmptyState>
        </>
      )}
    </ListAndDetail>
  );
}
