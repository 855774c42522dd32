import { currentLanguage, findText, t } from '../../../base/i18n/index.ts';
import type { Dimension } from './view.ts';

/** What the server calls by German words, whatever the language is. */
const placeholders = { '(direkt)': 'direct', '(unbekannt)': 'unknown', '(andere)': 'other' } as const;

function placeholderOf(name: string): (typeof placeholders)[keyof typeof placeholders] | undefined {
  return Object.entries(placeholders).find(([known]) => known === name)?.[1];
}

/** The name of a value for people. */
export function nameText(dimension: Dimension, name: string): string {
  const placeholder = placeholderOf(name);
  if (placeholder !== undefined) return t(`statistics.names.${placeholder}`);
  if (dimension === 'country') return countryName(name);
  if (dimension === 'device') return findText(`statistics.devices.${name}`) ?? name;
  return name;
}

/** @param code ISO 3166 */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames(currentLanguage(), { type: 'region' }).of(code) ?? code;
}

/** A day for people. @param day `YYYY-MM-DD` */
export function dateText(day: string, isShort = false): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(currentLanguage(), {
    day: 'numeric',
    month: 'short',
    ...(isShort ? {} : { year: 'numeric', weekday: 'short' }),
    timeZone: 'UTC',
  });
}

/** Names of the lines of a chart. @param hasViews whether views are counted besides visitors */
export function seriesLabels(hasViews: boolean) {
  return {
    visitors: t('statistics.visitors'),
    views: hasViews ? t('statistics.views') : undefined,
    before: t('statistics.visitorsBefore'),
  };
}
