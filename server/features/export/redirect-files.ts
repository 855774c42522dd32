/**
 * The redirects of a website in the language of the server that will deliver the files. Sources are paths in normal
 * form: decoded, lower case, without a slash at the end.
 */
import { computeLocation } from '../../../runtime/page/redirect.ts';
import type { ExportFormat } from './model.ts';

export interface ExportedRedirect {
  readonly source: string;
  readonly target: string;
  readonly status: 301 | 302;
}

export interface RedirectFile {
  readonly name: string;
  /** The lines before the redirects. */
  readonly head: string;
  /** One line, with its end. */
  line(redirect: ExportedRedirect): string;
}

/** @param prefix what stands in front of paths on the server, such as `/project` */
export function createRedirectFile(format: ExportFormat, prefix: string): RedirectFile {
  return format === 'apache'
    ? { name: '.htaccess', head: apacheHead(prefix), line: (redirect) => apacheLine(redirect, prefix) }
    : { name: '_redirects', head: '', line: (redirect) => plainLine(redirect, prefix) };
}

/** The headers of all files for servers that read them from a file; undefined for others. */
export function createHeadersFile(
  format: ExportFormat,
  headers: readonly (readonly [name: string, value: string])[],
): { readonly name: string; readonly text: string } | undefined {
  if (format === 'apache') return undefined;
  const lines = headers.map(([name, value]) => `  ${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}\n`);
  return { name: '_headers', text: `/*\n${lines.join('')}` };
}

function apacheHead(prefix: string): string {
  return `ErrorDocument 404 ${quoted(`${prefix}/404.html`)}\nOptions -Indexes\n`;
}

/**
 * The pattern is anchored and knows letters, digits, `/`, `-` and `_` as they are; every other byte is written as a
 * hexadecimal escape, so nothing in a source can be a part of the expression or of the line.
 */
function apacheLine({ source, target, status }: ExportedRedirect, prefix: string): string {
  const pattern = `^(?i)${escapedPattern(prefix + source)}/?$`;
  return `RedirectMatch ${status} "${pattern}" ${quoted(substitution(withPrefix(target, prefix)))}\n`;
}

function escapedPattern(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w/-]/.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}

/**
 * Apache escapes the path of a target itself, but neither query nor fragment. A backslash in front of `$` and `{`
 * keeps them from being a reference to the pattern or to a variable of the server.
 */
function substitution(target: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(computeLocation(target, '')) ?? [];
  const [, origin = '', local = path] = /^(https?:\/\/[^/]*)(.*)$/i.exec(path) ?? [];
  return `${origin}${decodedPath(local)}${rest}`.replaceAll(/[\\$&{]/g, '\\$&');
}

/** Without escapes, except those of characters that would end the path or the line. */
function decodedPath(path: string): string {
  return path.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      const text = decodeURIComponent(run);
      return /[?#%\p{Cc}]/u.test(text) ? run : text;
    } catch {
      return run;
    }
  });
}

/** An argument of Apache's configuration in quotes. */
function quoted(text: string): string {
  return `"${text.replaceAll(/\p{Cc}/gu, '').replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** Netlify and Cloudflare: three words; `*` and `:` would be patterns. */
function plainLine({ source, target, status }: ExportedRedirect, prefix: string): string {
  const path = (prefix + source).split('/').map(encodeURIComponent).join('/').replaceAll('*', '%2A');
  return `${path} ${computeLocation(withPrefix(target, prefix), '')} ${status}\n`;
}

function withPrefix(target: string, prefix: string): string {
  return target.startsWith('/') ? prefix + target : target;
}
