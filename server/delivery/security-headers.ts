import type { HeaderList } from './answer.ts';

/** Headers of all pages and files of websites; the defaults of the security settings. */
export const allHeaders: HeaderList = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
];

/** Headers of website pages only. */
export const siteHeaders: HeaderList = [...allHeaders, ['X-Frame-Options', 'SAMEORIGIN']];
