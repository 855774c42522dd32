import { currentLanguage, t } from '../../../base/i18n/index.ts';
import type { CollectionField } from '../../../content/collections.ts';

/** A value as the cell of a table shows it. */
export function cellText({ type }: Pick<CollectionField, 'type'>, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (type === 'boolean') return t(value === true ? 'entries.yes' : 'entries.no');
  if (type === 'number' && typeof value === 'number')
    return value.toLocaleString(currentLanguage(), { useGrouping: 'min2' });
  if (type === 'references' && Array.isArray(value)) return value.map((id) => `#${id}`).join(', ');
  if (type === 'reference' || type === 'image' || type === 'file') return `#${value}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
