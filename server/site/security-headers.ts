import type { HeaderList } from './answer.ts';

/** On every answer (open points 12, "Security headers"; defaults of the security settings). */
export const ALL_HEADERS: HeaderList = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
];

/** On website pages only. */
export const SITE_HEADERS: HeaderList = [...ALL_HEADERS, ['X-Frame-Options', 'SAMEORIGIN']];
