import { currentLanguage } from './index.ts';

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size for people: 1.4 MB. @param bytes 0 or more */
export function sizeText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  const digits = step === 0 || value >= 100 ? 0 : 1;
  return `${value.toLocaleString(currentLanguage(), { maximumFractionDigits: digits })} ${units[step]}`;
}
