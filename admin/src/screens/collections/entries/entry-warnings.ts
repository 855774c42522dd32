import type { SavedEntry } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import type { Collection } from '../../../content/collections.ts';
import type { Entry } from '../../../content/entries.ts';
import { showToast } from '../../../ui/messages/toasts.ts';

/** Why visitors do not come to an entry. */
export type AddressFault = 'addressTaken' | 'addressInvalid';

/** Says that visitors do not come to an entry that was saved. */
export function showWarnings({ warnings = [] }: Pick<SavedEntry, 'warnings'>): void {
  for (const { code, params } of warnings) {
    const path = String(params['path']);
    if (code === 'item.addressTaken')
      showToast({ tone: 'failed', message: t('entries.addressTaken', { path }) });
    if (code === 'item.addressInvalid')
      showToast({ tone: 'failed', message: t('entries.addressInvalid', { path }) });
  }
}

/** Entries among those that are shown whose address another one has too, or that cannot be requested. */
export function findAddressFaults(
  { detail_page_id: page, detail_field: field }: Collection,
  shown: readonly Entry[],
): ReadonlyMap<number, AddressFault> {
  const faults = new Map<number, AddressFault>();
  if (page === 0) return faults;
  const byPart = Map.groupBy(shown, ({ data }) => String(data[field] ?? ''));
  for (const [part, entries] of byPart) {
    if (part === '') continue;
    const fault = entries.length > 1 ? 'addressTaken' : canBeRequested(part) ? undefined : 'addressInvalid';
    if (fault !== undefined) for (const { id } of entries) faults.set(id, fault);
  }
  return faults;
}

/** As the server judges: no empty or dot segments, no white space, and nothing that addresses write otherwise. */
function canBeRequested(part: string): boolean {
  return !/[\s?#%\\\p{Cc}]/u.test(part) && !part.split('/').some((segment) => /^\.{0,2}$/.test(segment));
}
