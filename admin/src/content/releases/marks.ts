/** Which objects have changes that wait, for lists that mark them. */
import { useQueries } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import type { ChangeSet } from '../../api/generated/schema.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import { changeSets, isRelease, refreshMs } from './releases.ts';

export interface WaitingMark {
  /** In a working copy, in a release, or in one that goes live at a time. */
  readonly kind: 'changed' | 'released' | 'scheduled';
  readonly text: string;
}

const states = ['scheduled', 'open', 'failed'] as const;

/** The marks of all objects of a kind by their IDs: what comes first, a schedule before others. */
export function useMarks(kind: string | undefined): ReadonlyMap<number, WaitingMark> {
  return useQueries({
    queries: states.map((state) => ({
      queryKey: [changeSets.name, 'objects', state],
      queryFn: () => requireData(api.GET('/change-sets', { params: { query: { state, objects: true } } })),
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
