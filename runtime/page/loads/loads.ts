/** Directives of a Content-Security-Policy that say where something may be loaded from. */
export const directives = [
  'script-src',
  'style-src',
  'img-src',
  'font-src',
  'media-src',
  'frame-src',
  'object-src',
  'connect-src',
  'manifest-src',
  'form-action',
] as const;
export type Directive = (typeof directives)[number];

/** Something that a document loads. */
export interface Load {
  readonly directive: Directive;
  /** As it stands in the document. */
  readonly address: string;
}

/** What a document holds that only `'unsafe-inline'` or a hash allows. */
export interface Inline {
  readonly kind: 'script' | 'style' | 'event handler' | 'style attribute';
  readonly text: string;
}

/**
 * The source of a policy that allows an address: `'self'`, a scheme such as `data:`, or an origin. Undefined for
 * what needs none, such as an address of the document itself.
 */
export function findPolicySource(address: string, documentUrl: string): string | undefined {
  const text = address.trim();
  if (text === '' || text.startsWith('#') || /^(?:about|javascript|mailto|tel):/i.test(text))
    return undefined;
  const url = URL.parse(text, documentUrl);
  if (url === null) return undefined;
  if (!['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol)) return url.protocol;
  return url.origin === new URL(documentUrl).origin ? "'self'" : `${url.protocol}//${url.host}`;
}
