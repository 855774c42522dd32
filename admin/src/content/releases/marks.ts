/** Which objects have changes that wait, for lists that mark them. */
import { queryOptions, useQueries } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import type { ChangeSet } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { meQuery } from '../../api/session/rights.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import { changeSets, isRelease, refreshMs } from './releases.ts';

export interface WaitingMark {
  /** In a working copy, in a release, or in one that goes live at a time. */
  readonly kind: 'changed' | 'released' | 'scheduled';
  readonly text: string;
}

const states = ['scheduled', 'open', 'failed'] as const;

/** Change sets in a state with the objects that they have. */
function objectsQuery(state: (typeof states)[number]) {
  return queryOptions({
    queryKey: [changeSets.name, 'objects', state],
    queryFn: () => requireData(api.GET('/change-sets', { params: { query: { state, objects: true } } })),
  });
}

/** IDs of the objects of a kind that editors show with a working copy; none if editors save live. */
export async function loadCopiedIds(kind: string): Promise<ReadonlySet<number>> {
  if ((await queryClient.ensureQueryData(meQuery)).live_saves === true) return new Set();
  const answers = await Promise.all(
    states.map((state) => queryClient.fetchQuery({ ...objectsQuery(state), staleTime: 0 })),
  );
  const copies = answers.flat().filter(({ purpose }) => purpose === 'copy');
  const objects = copies.flatMap((set) => set.objects ?? []);
  return new Set(objects.filter((object) => object.kind === kind).map(({ id }) => id));
}

/** The marks of all objects of a kind by their IDs: what comes first, a schedule before others. */
export function useMarks(kind: string | undefined): ReadonlyMap<number, WaitingMark> {
  return useQueries({
    queries: states.map((state) => ({
      ...objectsQuery(state),
      refetchInterval: refreshMs,
      enabled: kind !== undefined,
    })),
    combine: (answers) =>
      markObjects(
        kind,
        answers.flatMap(({ data = [] }) => data),
      ),
  });
}

function markObjects(kind: string | undefined, sets: readonly ChangeSet[]): ReadonlyMap<number, WaitingMark> {
  const marks = new Map<number, WaitingMark>();
  for (const set of sets) {
    const mark = findMark(set);
    for (const object of mark === undefined ? [] : (set.objects ?? []))
      if (object.kind === kind && mark !== undefined && !marks.has(object.id)) marks.set(object.id, mark);
  }
  return marks;
}

function findMark(set: ChangeSet): WaitingMark | undefined {
  const { name, purpose, publish_at } = set;
  if (purpose === 'copy') return { kind: 'changed', text: t('marks.changed') };
  if (!isRelease(set)) return undefined;
  if (set.state !== 'scheduled' || publish_at === null)
    return { kind: 'released', text: t('marks.released', { name }) };
  return { kind: 'scheduled', text: t('marks.scheduled', { name, time: timeText(publish_at) }) };
}
