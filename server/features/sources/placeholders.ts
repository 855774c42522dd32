/**
 * Placeholders of sources: `{name}` is a parameter, `{env.NAME}` an environment variable of the server. Variables
 * that begin with `IC_` hold secrets of the server itself and are never read.
 */
import type { Source } from './model.ts';

export type Params = Readonly<Record<string, string>>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** A request with all placeholders replaced. */
export interface Expanded {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Hides the values of environment variables in a text. */
  mask(text: string): string;
}

export function expand(
  { method, url, headers, body }: Pick<Source, 'method' | 'url' | 'headers' | 'body'>,
  params: Params,
  environment: Environment,
): Expanded {
  const secrets = new Set<string>();
  const fill = (text: string, encode: (value: string) => string) =>
    text.replaceAll(/\{(env\.)?([A-Za-z_][A-Za-z0-9_-]*)\}/g, (_, isVariable, name: string) => {
      const value = isVariable === undefined ? own(params, name) : variable(environment, name);
      if (isVariable !== undefined && value !== '') secrets.add(value).add(encode(value));
      return encode(value);
    });
  const sent = method === 'POST' && body.trim() !== '' ? fill(body, inJson) : undefined;
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(value, inHeader)]);
  return {
    method,
    url: fill(url, encodeURIComponent),
    headers: Object.fromEntries([
      ...filled,
      ['Accept', 'application/json'],
      ...(sent === undefined ? [] : [['Content-Type', 'application/json']]),
    ]),
    body: sent,
    mask(text) {
      let masked = text;
      for (const secret of secrets) masked = masked.replaceAll(secret, '***');
      return masked;
    },
  };
}

function own(params: Params, name: string): string {
  return Object.hasOwn(params, name) ? (params[name] ?? '').toWellFormed() : '';
}

function variable(environment: Environment, name: string): string {
  return name.toUpperCase().startsWith('IC_') ? '' : (environment[name] ?? '');
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** A line break would begin another header. */
function inHeader(value: string): string {
  return value.replaceAll(/[\r\n\0]/g, '');
}
