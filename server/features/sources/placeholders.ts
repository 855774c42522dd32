/**
 * Placeholders of sources: `{name}` is a parameter, `{env.NAME}` an environment variable of the server. Variables
 * that begin with `IC_` hold secrets of the server itself and are never read.
 */
import { type AddressPart, fillAddress } from '../../http/outgoing/address-template.ts';
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

/** @throws OutgoingError `urlInvalid` for a parameter that would leave its place in the address */
export function expand(
  { method, url, headers, body }: Pick<Source, 'method' | 'url' | 'headers' | 'body'>,
  params: Params,
  environment: Environment,
): Expanded {
  const secrets = new Set<string>();
  const readValue = (name: string, isVariable: boolean, encode: (value: string) => string) => {
    const value = isVariable ? variable(environment, name) : own(params, name);
    if (isVariable && value !== '') secrets.add(value).add(encode(value));
    return value;
  };
  const fill = (text: string, encode: (value: string) => string) =>
    text.replaceAll(placeholder, (_, prefix, name: string) =>
      encode(readValue(name, prefix !== undefined, encode)),
    );
  const address = [...splitAtPlaceholders(url)].map((part): AddressPart => {
    if (typeof part === 'string') return part;
    const value = readValue(part.name, part.isVariable, encodeURIComponent);
    return { value, mayNameHost: part.isVariable };
  });
  const sent = method === 'POST' && body.trim() !== '' ? fill(body, inJson) : undefined;
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(value, inHeader)]);
  return {
    method,
    url: fillAddress(address),
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

const placeholder = /\{(env\.)?([A-Za-z_][A-Za-z0-9_-]*)\}/g;

function* splitAtPlaceholders(text: string) {
  let end = 0;
  for (const { 0: whole, 1: prefix, 2: name = '', index } of text.matchAll(placeholder)) {
    yield text.slice(end, index);
    yield { name, isVariable: prefix !== undefined };
    end = index + whole.length;
  }
  yield text.slice(end);
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
