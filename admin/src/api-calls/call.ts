/** Calls of the API as text for a shell and for JavaScript. Free of the browser, so that it is tested alone. */
import type { ApiCall } from '../api/api-call.ts';

/** What stands in place of a text that may be a secret. */
const hidden = '***';

/**
 * Areas whose bodies are content, which every token can read. In all others texts may be passwords, keys of other
 * services or headers with a login.
 */
const contentAreas: ReadonlySet<string> = new Set([
  'pages',
  'sites',
  'snippets',
  'assets',
  'global-blocks',
  'blocks',
  'collections',
  'redirects',
  'notfound',
  'files',
  'folders',
  'revisions',
  'batch',
  'markdown',
]);

/** The call with its texts hidden, unless they are content. */
export function withoutSecrets(call: ApiCall): ApiCall {
  const [, area = ''] = /^\/api\/v1\/([\w-]+)/.exec(call.path) ?? [];
  return contentAreas.has(area) ? call : { ...call, body: hideTexts(call.body) };
}

function hideTexts(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : hidden;
  if (Array.isArray(value)) return value.map(hideTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hideTexts(inner)]));
}

/** A command for a shell that knows the token as `$TOKEN`. @param origin scheme and host of the server */
export function asCurl({ method, path, body }: ApiCall, origin: string): string {
  const parts = [
    `curl -s${method === 'GET' ? '' : ` -X ${method}`} ${quoted(origin + path)}`,
    '-H "Authorization: Bearer $TOKEN"',
  ];
  if (body === undefined) return parts.join(' \\\n  ');
  parts.push("-H 'Content-Type: application/json'", "-d @- <<'END'");
  // No line of JSON is END: line breaks inside of texts are written as \n.
  return `${parts.join(' \\\n  ')}\n${JSON.stringify(body, undefined, 2)}\nEND`;
}

/** The same for JavaScript that knows the token as `token`. */
export function asFetch({ method, path, body }: ApiCall, origin: string): string {
  const lines = [
    `const response = await fetch(${JSON.stringify(origin + path)}, {`,
    `  method: '${method}',`,
    body === undefined
      ? "  headers: { Authorization: 'Bearer ' + token },"
      : "  headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' },",
  ];
  if (body !== undefined)
    lines.push(`  body: JSON.stringify(${indented(JSON.stringify(body, undefined, 2))}),`);
  return [...lines, '});', 'const answer = await response.json();'].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
