import { currentLanguage } from './index.ts';

/** A number with the separators of the language. */
export function countText(count: number): string {
  return count.toLocaleString(currentLanguage());
}

/** Change against before, such as `+12 %`; undefined if there was nothing before. */
export function changeText(now: number, before: number | undefined): string | undefined {
  if (before === undefined || before === 0) return undefined;
  return (now / before - 1).toLocaleString(currentLanguage(), {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
  });
}
