import type { ChangeSet, ChangeSetItem } from '../../api/generated/schema.ts';
import { findText, t, timeText } from '../../base/i18n/index.ts';
import type { RowTag } from '../list/list-screen.tsx';

/** The name of an object with its kind. */
export function itemText({ kind, id, title }: Pick<ChangeSetItem, 'kind' | 'id' | 'title'>): string {
  return `${kindText(kind)} "${title || id}"`;
}

function kindText(kind: string): string {
  return findText(`audit.kinds.${kind}`) ?? kind;
}

export function fieldText(field: string): string {
  return findText(`fields.${field}`) ?? field;
}

/** What is special about a release. */
export function listTags({ state, publish_at, reverted_by, conflicts }: ChangeSet): readonly RowTag[] {
  const states: Readonly<Record<ChangeSet['state'], readonly RowTag[]>> = {
    open: [],
    scheduled: publish_at === null ? [] : [{ text: timeText(publish_at) }],
    published: [{ text: t(reverted_by === null ? 'releases.states.published' : 'releases.states.reverted') }],
    failed: [{ text: t('releases.states.failed'), tone: 'ochre' }],
    discarded: [],
  };
  const isDisputed = state !== 'published' && conflicts > 0;
  return [
    ...states[state],
    ...(isDisputed ? [{ text: t('releases.disputed'), tone: 'ochre' } as const] : []),
  ];
}

/** What has become of a release, or will. */
export function stateText({ state, publish_at, published_at, updated_at, author }: ChangeSet): string {
  const text = t(`releases.states.${state}`);
  if (state === 'scheduled' && publish_at !== null)
    return t('releases.scheduledFor', { time: timeText(publish_at) });
  if (state === 'published' && published_at !== null)
    return t('releases.publishedAt', { time: timeText(published_at) });
  return `${text} · ${author} · ${timeText(updated_at)}`;
}
