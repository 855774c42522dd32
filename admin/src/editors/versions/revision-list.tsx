import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState, useSyncExternalStore } from 'react';
import { api, requireData } from '../../api/client.ts';
import { revisedFields } from '../../api/generated/revised.ts';
import type { RevisionListEntry } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { findText, t, timeText } from '../../base/i18n/index.ts';
import { runCommand } from '../../commands/run.ts';
import { type Fields, isEqual, toFieldRecord } from '../../editing/merge/fields.ts';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { toReadableText } from './readable-text.ts';
import classes from './revision-list.module.css';

type Revision = RevisionListEntry;

const TextDiff = lazy(async () => ({ default: (await import('./text-diff.tsx')).TextDiff }));

type Views = Readonly<Record<string, (before: unknown, after: unknown) => ReactNode>>;

/** An object as its editor knows it; `EditorStore` is one. */
export interface RevisedObject {
  readonly base: { readonly id: number };
  subscribe: (listener: () => void) => () => void;
  discard(): void;
}

export interface RevisionListProps {
  readonly kind: keyof typeof revisedFields;
  /** The editor of the object, whose changes a restore drops. */
  readonly store: RevisedObject;
  /** The object now. Default: as the editor knows it. */
  readonly current?: Fields;
  /** Fields that are compared in another way than as texts. */
  readonly views?: Views;
  /** What a restore leaves as it is. */
  readonly kept: string;
  changed(): Promise<void>;
}

function listQuery(kind: RevisionListProps['kind'], id: number) {
  return queryOptions({
    queryKey: ['revisions', kind, id],
    queryFn: () => requireData(api.GET('/revisions', { params: { query: { kind, id } } })),
  });
}

const noViews: Views = {};

/** Earlier versions; the chosen one beside the state now, field by field. */
export function RevisionList({ kind, store, current, views = noViews, kept, changed }: RevisionListProps) {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const { id } = base;
  const { data: revisions } = useQuery(listQuery(kind, id));
  const [chosenId, setChosen] = useState<number>();
  const chosen = revisions?.find((revision) => revision.id === chosenId) ?? revisions?.[0];
  if (revisions === undefined) return null;
  if (chosen === undefined) return <EmptyState>{t('history.none')}</EmptyState>;
  const restore = () =>
    runCommand({
      id: 'history.restore',
      label: 'history.restore',
      icon: 'clock-counter-clockwise',
      async run() {
        await requireData(api.POST('/revisions/{id}/restore', { params: { path: { id: chosen.id } } }));
        store.discard();
        await changed();
        await queryClient.invalidateQueries({ queryKey: ['revisions', kind, id] });
        return { message: t('history.restored', { time: stateTime(chosen) }) };
      },
    });
  return (
    <div className={classes['history']}>
      <ol className={classes['list']} aria-label={t('history.title')}>
        {revisions.map((revision) => (
          <li key={revision.id}>
            <button
              type="button"
              className={classes['entry']}
              aria-pressed={revision.id === chosen.id}
              onClick={() => setChosen(revision.id)}
            >
              <span className="tabular">{stateTime(revision)}</span>
              <span className="meta">
                {revision.state_author ?? t('history.beforeChange', { author: revision.author })}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <div className={classes['detail']}>
        <div className={classes['actions']}>
          <p className="quiet">{kept}</p>
          <Button variant="default" onClick={restore}>
            {t('history.restore')}
          </Button>
        </div>
        <Comparison
          key={chosen.id}
          revision={chosen}
          current={current ?? toFieldRecord(base)}
          fields={revisedFields[kind]}
          views={views}
        />
      </div>
    </div>
  );
}

interface ComparisonProps {
  readonly revision: Revision;
  readonly current: Fields;
  readonly fields: readonly string[];
  readonly views: Views;
}

function Comparison({ revision, current, fields, views }: ComparisonProps) {
  const { data } = useQuery({
    queryKey: ['revision', revision.id],
    queryFn: () => requireData(api.GET('/revisions/{id}', { params: { path: { id: revision.id } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined) return null;
  const different = fields.filter(
    (field) => field in data.data && !isEqual(data.data[field], current[field]),
  );
  if (different.length === 0) return <EmptyState>{t('history.same')}</EmptyState>;
  return (
    <>
      {different.some((field) => views[field] === undefined) && (
        <div className={classes['sides']} aria-hidden="true">
          <span>{t('history.then', { time: stateTime(revision) })}</span>
          <span>{t('history.now')}</span>
        </div>
      )}
      {different.map((field) => (
        <section key={field} className={classes['field']}>
          <h2>{findText(`fields.${field}`) ?? field}</h2>
          {views[field]?.(data.data[field], current[field]) ?? (
            <Suspense>
              <TextDiff
                label={findText(`fields.${field}`) ?? field}
                before={toReadableText(data.data[field])}
                after={toReadableText(current[field])}
              />
            </Suspense>
          )}
        </section>
      ))}
    </>
  );
}

/** When the state of a version was made. Of older versions only its end is known, the change that replaced it. */
function stateTime({ state_at: at, created_at: end }: Revision): string {
  return at === null ? t('history.until', { time: timeText(end) }) : timeText(at);
}
