type Headers = readonly (readonly [string, string])[];

/** Headers of every answer of the server; the defaults of the security settings. */
export const allHeaders: Headers = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
];

/** Headers of website pages only. */
export const siteHeaders: Headers = [...allHeaders, ['X-Frame-Options', 'SAMEORIGIN']];
