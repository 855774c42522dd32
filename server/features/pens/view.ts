import { hash } from 'node:crypto';
import { escapeHtml } from '../../../runtime/values/escape.ts';
import type { Pen } from './model.ts';

/** A document that shows the result of a pen beside its code. It has no scripts. */
export function codeView({ uuid, title, html, css, js }: Pen): string {
  const name = escapeHtml(title);
  const codes = [
    ['HTML', html],
    ['CSS', css],
    ['JS', js],
  ] as const;
  const shown = codes
    .filter(([, code]) => code.trim() !== '')
    .map(
      ([label, code]) => `<section><h2>${label}</h2><pre><code>${escapeHtml(code)}</code></pre></section>`,
    );
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${name}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${name}</h1>
<iframe title="${name}" src="/cms-admin/pen/${uuid}/result" sandbox="${sandboxRights}"></iframe>
${shown.join('\n')}
</main>
</body>
</html>
`;
}

/** What a pen may do. Without `allow-same-origin` its origin is nobody's: no cookies, no access to other windows. */
export const sandboxRights = 'allow-forms allow-modals allow-popups allow-scripts';

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0 }
main { max-width: 75rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.25rem; overflow-wrap: anywhere }
h2 { font-size: .875rem; margin: 1.5rem 0 .25rem }
iframe { width: 100%; height: 60vh; border: 1px solid; box-sizing: border-box; background: #fff; color-scheme: light }
pre { margin: 0; padding: .75rem; overflow: auto; border: 1px solid; tab-size: 2; font: .875rem/1.5 ui-monospace, monospace }
`;

/** Nothing but its own style and the frame with the result. */
export const codeViewPolicy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;
