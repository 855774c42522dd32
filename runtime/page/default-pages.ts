import { escapeHtml } from '../escape.ts';

/**
 * The pages the service shows when a website has none of its own for the occasion. Self-contained, no script,
 * nothing from elsewhere, readable in light and dark.
 */

/** Default 404 page (Core, "Public non-API routes"). */
export const NOT_FOUND_HTML = noticePage('404', 'Page not found', 'There is nothing at this address.');

/** What visitors see of an error while rendering; the details are in the log. */
export const SERVER_ERROR_HTML = noticePage(
  '500',
  'Something went wrong',
  'This page cannot be shown at the moment. Please try again later.',
);

export const BUSY_HTML = noticePage(
  '503',
  'Too busy',
  'More pages are being asked for than can be made right now. Please try again in a moment.',
);

function noticePage(code: string, title: string, text: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="robots" content="noindex">
<style>
:root { color-scheme: light dark; --ink: #1d2129; --paper: #fbfaf7; --soft: #6b7280; }
@media (prefers-color-scheme: dark) { :root { --ink: #eceae4; --paper: #16181d; --soft: #9aa1ac; } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper); color: var(--ink);
  font: 1.05rem/1.6 ui-serif, Georgia, serif; }
main { padding: 2rem; max-width: 32rem; }
small { color: var(--soft); font: 600 .8rem/1 ui-monospace, monospace; letter-spacing: .15em; }
h1 { margin: .6rem 0 .4rem; font-size: 2rem; line-height: 1.2; font-weight: 600; }
p { margin: 0; color: var(--soft); }
</style>
</head>
<body>
<main><small>${code}</small><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>
</body>
</html>
`;
}
