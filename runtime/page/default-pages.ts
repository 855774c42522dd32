import { escapeHtml } from '../values/escape.ts';

/**
 * The pages that the service shows if a website has no such page of its own. They have no script and load
 * nothing from other addresses, and they are readable in light and dark mode.
 */

/** Default 404 page (Core, "Public non-API routes"). */
export const notFoundHtml = noticePage('404', 'Page not found', 'There is nothing at this address.');

/** Shown to visitors if rendering fails; the details of the error are in the log. */
export const serverErrorHtml = noticePage(
  '500',
  'Something went wrong',
  'This page cannot be shown at the moment. Please try again later.',
);

export const busyHtml = noticePage(
  '503',
  'Too busy',
  'More pages are being asked for than can be made right now. Please try again in a moment.',
);

/** Shown in a preview whose render was ended from outside. @param reason why */
export function renderEndedHtml(reason: string): string {
  return noticePage('422', 'The page could not be rendered', reason);
}

/** What the page of an instance without websites says about it. */
export interface InstanceFacts {
  readonly dataDir: string;
  /** Whether there is an admin at the address that was asked for. */
  readonly hasAdmin: boolean;
}

/** Shown at every address while there is no website. Everybody can see it, so it contains no secret. */
export function welcomeHtml(
  origin: string,
  { dataDir, hasAdmin }: InstanceFacts = { dataDir: './data', hasAdmin: false },
): string {
  const start = `npm start -- -data ${inShell(dataDir)}`;
  const steps: readonly (readonly [title: string, command: string])[] = [
    ['Create a token on the server', `${start} -create-token editor`],
    [
      'Create a website',
      `curl -X POST ${origin}/api/v1/sites -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"title":"My site","domains":""}'`,
    ],
    ['Or start with the demonstration website', `${start} -demo`],
  ];
  const list = steps.map(
    ([title, command]) => `<p>${escapeHtml(title)}:</p><pre>${escapeHtml(command)}</pre>`,
  );
  const admin = hasAdmin
    ? '<p>Open <a href="/cms-admin/">the admin</a> to create one. Or use the API:</p>'
    : '<p>Create one with the API:</p>';
  const content = `<p>There is no website yet.</p>${admin}${list.join('')}`;
  return pageOf('404', 'Welcome to Incipit', content);
}

/** A word of a command line as a shell takes it. */
function inShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function noticePage(code: string, title: string, text: string): string {
  return pageOf(code, title, `<p>${escapeHtml(text)}</p>`);
}

/** @param content HTML below the heading */
function pageOf(code: string, title: string, content: string): string {
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
a { color: var(--ink); }
pre { margin: .3rem 0 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font: .85rem/1.5 ui-monospace, monospace; }
</style>
</head>
<body>
<main><small>${code}</small><h1>${escapeHtml(title)}</h1>${content}</main>
</body>
</html>
`;
}
