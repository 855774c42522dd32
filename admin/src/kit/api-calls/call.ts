/** Calls of the API as text for a shell and for JavaScript. Free of the browser, so that it is tested alone. */
import type { ApiCall } from '../../api/api-call.ts';

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

/** Fields of other areas that hold no secret. */
const openFields: Readonly<Record<string, ReadonlySet<string>>> = {
  sources: new Set(['slug', 'name', 'method', 'list_path']),
};

/** The call with its texts hidden, unless they are content. */
export function withoutSecrets(call: ApiCall): ApiCall {
  const [, area = ''] = /^\/api\/v1\/([\w-]+)/.exec(call.path) ?? [];
  if (contentAreas.has(area)) return call;
  const shown = shownFields(call.body, openFields[area] ?? new Set());
  return { ...call, body: withFields(hideTexts(call.body), shown) };
}

/** The fields that may be shown; of an address everything but the values of its query. */
function shownFields(body: unknown, open: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  if (open.size === 0 || typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      if (open.has(name)) return [[name, value]];
      return name === 'url' && typeof value === 'string' ? [[name, withoutQueryValues(value)]] : [];
    }),
  );
}

function withFields(body: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, ...fields } : body;
}

/** A name and password in front of the host are a login. Placeholders are filled by the server. */
function withoutQueryValues(url: string): string {
  return url.replace(/(?<=^\w+:\/\/)[^/?#@]*@/, `${hidden}@`).replaceAll(/=(?!\{)[^&#]+/g, `=${hidden}`);
}

function hideTexts(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : hidden;
  if (Array.isArray(value)) return value.map(hideTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hideTexts(inner)]));
}

/** A command for a shell that knows the token as `$TOKEN`. @param origin scheme and host of the server */
export function asCurl(call: ApiCall, origin: string): string {
  const { method, path, body } = call;
  const parts = [
    `curl -s${method === 'GET' ? '' : ` -X ${method}`} ${quoted(origin + path)}`,
    '-H "Authorization: Bearer $TOKEN"',
  ];
  if (call.fileType !== undefined) return [...parts, ...fileOptions(call.fileType)].join(' \\\n  ');
  if (body === undefined) return parts.join(' \\\n  ');
  parts.push("-H 'Content-Type: application/json'", "-d @- <<'END'");
  // No line of JSON is END: line breaks inside of texts are written as \n.
  return `${parts.join(' \\\n  ')}\n${JSON.stringify(body, undefined, 2)}\nEND`;
}

const formType = 'multipart/form-data';

function fileOptions(type: string): readonly string[] {
  return type === formType ? ['-F file=@FILE'] : [`-H 'Content-Type: ${type}'`, '--data-binary @FILE'];
}

/** The same for JavaScript that knows the token as `token`, and a file as `file`. */
export function asFetch(call: ApiCall, origin: string): string {
  const { method, path } = call;
  const { type, value, before } = fetchBody(call);
  const lines = [
    ...before,
    `const response = await fetch(${JSON.stringify(origin + path)}, {`,
    `  method: '${method}',`,
    type === undefined
      ? "  headers: { Authorization: 'Bearer ' + token },"
      : `  headers: { Authorization: 'Bearer ' + token, 'Content-Type': '${type}' },`,
  ];
  if (value !== undefined) lines.push(`  body: ${value},`);
  return [...lines, '});', 'const answer = await response.json();'].join('\n');
}

interface FetchBody {
  /** Undefined where there is no body, or the browser says it. */
  readonly type: string | undefined;
  /** As code. */
  readonly value: string | undefined;
  readonly before: readonly string[];
}

function fetchBody({ body, fileType }: ApiCall): FetchBody {
  if (fileType === formType) {
    const before = ['const form = new FormData();', "form.append('file', file);"];
    return { type: undefined, value: 'form', before };
  }
  if (fileType !== undefined) return { type: fileType, value: 'file', before: [] };
  if (body === undefined) return { type: undefined, value: undefined, before: [] };
  const value = `JSON.stringify(${indented(JSON.stringify(body, undefined, 2))})`;
  return { type: 'application/json', value, before: [] };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
