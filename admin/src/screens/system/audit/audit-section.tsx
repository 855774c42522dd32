import { Autocomplete, Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { failureText } from '../../../api/failure-text.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import { Strip } from '../../../ui/messages/strip.tsx';
import classes from './audit.module.css';
import { AuditTable, findWho } from './audit-table.tsx';
import { auditKinds } from './kinds.ts';
import { type AuditFilter, auditFilters, useAudit } from './queries.ts';

/** The server is asked so long after the last key, in milliseconds. */
const waitMs = 250;

/** Who changed what, newest first. */
export function AuditSection() {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const filter = filterOf(search);
  const [asked] = useDebouncedValue(JSON.stringify(filter), waitMs);
  // Type boundary: the text was made from a filter.
  const audit = useAudit(JSON.parse(asked) as AuditFilter);
  const entries = audit.data?.pages.flatMap(({ changes }) => changes) ?? [];
  const set = (changes: Partial<AuditFilter>) =>
    goTo(paths.system(`audit${queryOf({ ...filter, ...changes })}`), { replace: true });
  const isFiltered = queryOf(filter) !== '';
  return (
    <>
      <p className="quiet line">{t('audit.help')}</p>
      <div className={classes['filter']}>
        <NativeSelect
          label={t('audit.kind')}
          data={[
            { value: '', label: t('audit.allKinds') },
            ...auditKinds.map((kind) => ({ value: kind, label: t(`audit.kinds.${kind}`) })),
          ]}
          value={filter.kind}
          onChange={(event) => set({ kind: event.currentTarget.value })}
        />
        <Autocomplete
          label={t('audit.actor')}
          data={[...new Set(entries.map(findWho))]}
          limit={10}
          value={filter.actor}
          onChange={(actor) => set({ actor })}
        />
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            label={t(`audit.${end}`)}
            value={filter[end]}
            onChange={(event) => set({ [end]: event.currentTarget.value })}
          />
        ))}
        {isFiltered && (
          <Button variant="subtle" onClick={() => goTo(paths.system('audit'), { replace: true })}>
            {t('audit.clear')}
          </Button>
        )}
      </div>
      {audit.error !== null && <Strip tone="brick">{failureText(audit.error)}</Strip>}
      {entries.length > 0 && <AuditTable entries={entries} />}
      {entries.length === 0 && audit.data !== undefined && !audit.hasNextPage && (
        <EmptyState>{t(isFiltered ? 'audit.noHit' : 'audit.none')}</EmptyState>
      )}
      {audit.hasNextPage && (
        <div>
          <Button
            variant="default"
            loading={audit.isFetchingNextPage}
            onClick={() => void audit.fetchNextPage()}
          >
            {t('audit.older')}
          </Button>
        </div>
      )}
    </>
  );
}

function filterOf(search: Readonly<Record<string, unknown>>): AuditFilter {
  const textOf = (name: keyof AuditFilter) => (search[name] === undefined ? '' : String(search[name]));
  return { kind: textOf('kind'), actor: textOf('actor'), from: textOf('from'), to: textOf('to') };
}

function queryOf(filter: AuditFilter): string {
  const given = auditFilters.filter((name) => filter[name] !== '').map((name) => [name, filter[name]]);
  return given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given))}`;
}
