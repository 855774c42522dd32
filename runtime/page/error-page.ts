import type { Place } from '../../grammar/errors.ts';
import { lineAt } from '../../grammar/positions.ts';
import type { TemplateError } from '../engine.ts';
import { escapeHtml } from '../values/escape.ts';

/** Characters of a source line shown on either side of the error. */
const shownLines = 100;

/** Places of including templates shown below an error. A render allows 50 levels of nesting. */
const maxPlaces = 60;

/**
 * A page about a template error for authors of templates: the reason, the source line with a caret under the
 * place, and in the same way the tags of the templates (page, layouts, snippets) that led there.
 *
 * @param sourceOf text of a template by name, undefined if it is not known
 */
export function errorPage(error: TemplateError, sourceOf: (template: string) => string | undefined): string {
  const places = error.includedFrom.slice(0, maxPlaces);
  const callers = places.map((place) => `<li>${placeHtml(place, sourceOf)}</li>`).join('\n');
  return previewNotice(
    'Template error',
    `<p>${escapeHtml(error.reason)}</p>
${placeHtml(error, sourceOf)}
${callers === '' ? '' : `<h2>Included from</h2>\n<ol>\n${callers}\n</ol>`}`,
  );
}

function placeHtml(
  { template, line, column }: Place,
  sourceOf: (template: string) => string | undefined,
): string {
  const source = sourceOf(template);
  const text = source === undefined ? undefined : lineAt(source, line);
  const excerpt = text === undefined ? '' : `\n<pre>${escapeHtml(withCaret(text, line, column))}</pre>`;
  return `<p><code>${escapeHtml(`${template}:${line}:${column}`)}</code></p>${excerpt}`;
}

/** The preview of a page that calls `not_found()`. */
export function notFoundNotice(catchAll: boolean): string {
  const hint = catchAll ? ' Choose a path below this page that exists.' : '';
  return previewNotice(
    'Not found',
    `<p>The template calls <code>not_found()</code> here: visitors get the 404 page.${hint}</p>`,
  );
}

/** The line with its number, and the caret below it. Tabs are kept, so the caret is in the right column. */
function withCaret(line: string, number: number, column: number): string {
  const from = Math.max(0, column - 1 - shownLines);
  const shown = line.slice(from, column - 1 + shownLines);
  const gutter = `${number} | `;
  const blank = (text: string) => text.replaceAll(/[^\t]/g, ' ');
  return `${gutter}${shown}\n${blank(gutter)}${blank(line.slice(from, column - 1))}^`;
}

function previewNotice(title: string, html: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; padding: 2rem; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: auto; padding: 1rem 1.5rem; border-left: .3rem solid #c2410c; }
h1 { margin: 0 0 .5rem; font-size: 1.2rem; }
h2 { margin: 1.5rem 0 .3rem; font-size: 1rem; }
ol { margin: 0; padding-left: 1.5rem; }
p { margin: .3rem 0; overflow-wrap: anywhere; }
pre { margin: 1rem 0 0; overflow-x: auto; font: .9rem/1.4 ui-monospace, monospace; }
</style>
</head>
<body>
<main><h1>${escapeHtml(title)}</h1>
${html}
</main>
</body>
</html>
`;
}
