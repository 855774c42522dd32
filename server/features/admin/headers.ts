import type { PublicRequest, PublicResponse } from '../../http/public-exchange.ts';
import { sandboxRights } from '../pens/view.ts';

type Headers = PublicResponse['headers'];

/**
 * The policy of the admin's own document. Scripts come from the admin's files only, so a text that reaches the
 * page as markup runs nothing. Styles may be inline, because Mantine and CodeMirror write style elements.
 */
const documentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The policy of the frame that shows previews. `sandbox` without `allow-same-origin` gives it an origin of its
 * own, so nothing in it reaches cookies or the admin. Scripts of the previewed page never run here: only the
 * admin's own files are scripts.
 */
function framePolicy({ scheme, host }: Pick<PublicRequest, 'scheme' | 'host'>): string {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${scheme}://${host}/cms-admin/assets/`,
    "style-src * data: 'unsafe-inline'",
    'img-src * data: blob:',
    'font-src * data:',
    'media-src * data: blob:',
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

const uncached: Headers = [
  ['Cache-Control', 'no-cache'],
  ['X-Robots-Tag', 'noindex, nofollow'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
];

/** Headers of the admin's document. */
export const documentHeaders: Headers = [
  ...uncached,
  ['Content-Security-Policy', documentPolicy],
  ['X-Frame-Options', 'DENY'],
];

/** Headers of the document in the preview frame. */
export function previewFrameHeaders(request: Pick<PublicRequest, 'scheme' | 'host'>): Headers {
  return [...uncached, ['Content-Security-Policy', framePolicy(request)]];
}

/**
 * Headers of the document in which the editor runs a pen. Its scripts may do what those of the public result may: its
 * origin is nobody's, so they reach neither cookies nor the admin.
 */
export const penFrameHeaders: Headers = [
  ...uncached,
  ['Content-Security-Policy', `sandbox ${sandboxRights}; frame-ancestors 'self'`],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Frame-Options', 'SAMEORIGIN'],
];

/** Headers of all other files. The preview frame, which has no origin, loads scripts from here too. */
export function fileHeaders(immutable: boolean): Headers {
  return [
    ['Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache'],
    ['Access-Control-Allow-Origin', '*'],
  ];
}
