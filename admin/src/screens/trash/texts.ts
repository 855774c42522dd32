import type { TrashEntry } from '../../api/generated/schema.ts';
import { findText, t } from '../../base/i18n/index.ts';

export function kindText(kind: string): string {
  return findText(`audit.kinds.${kind}`) ?? kind;
}

/** What was deleted with an object; empty if nothing was. */
export function containsText({ contains }: Pick<TrashEntry, 'contains'>): string {
  const counts = Object.entries(contains).map(([kind, count]) => `${kindText(kind)} ${count}`);
  return counts.length === 0 ? '' : t('trash.contains', { what: counts.join(', ') });
}
