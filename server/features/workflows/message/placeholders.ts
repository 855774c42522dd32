/**
 * Placeholders in settings of nodes: `{{ msg.payload.name }}` is a value of the message, `{{ secret.NAME }}` a
 * secret where the setting may have one. Other text in braces stays as it is. A missing value is empty.
 */
import { fillAddress } from '../../../http/outgoing/address-template.ts';
import type { WorkflowSecrets } from '../parts.ts';
import type { Fields, Message } from './message.ts';

/** How a value is written at its place. */
export type Encode = (value: unknown) => string;

/** A setting with its placeholders found. */
export interface Template {
  /** False for a setting without placeholders. */
  readonly hasPlaceholders: boolean;
  /** @throws Error for a secret that does not exist */
  fill(message: Message, encode: Encode): string;
}

type Part = string | { readonly path: readonly string[] } | { readonly secret: string };

const pattern = /\{\{\s*(msg|secret)((?:\.[\p{L}\p{N}_$-]+|\[\d+\]|\["[^"\]{}]*"\])*)\s*\}\}/gu;

/** A setting that is the address of a request. */
export interface AddressTemplate {
  /**
   * Values stay within their segment of the path or their part of the query. A setting that is one placeholder
   * takes the whole address from it.
   *
   * @throws OutgoingError `urlInvalid`
   */
  fill(message: Message): string;
}

export function addressTemplate(text: string, secrets: WorkflowSecrets): AddressTemplate {
  const parts = partsOf(text.trim(), true).filter((part) => part !== '');
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'object')
    return { fill: (message) => formatValue(partValue(first, message, secrets)).trim() };
  return {
    fill: (message) =>
      fillAddress(
        parts.map((part) =>
          typeof part === 'string'
            ? part
            : { value: formatValue(partValue(part, message, secrets)), mayNameHost: true },
        ),
      ),
  };
}

/** @param secrets absent where the setting takes none */
export function template(text: string, secrets?: WorkflowSecrets): Template {
  const parts = partsOf(text, secrets !== undefined);
  return {
    hasPlaceholders: parts.some((part) => typeof part !== 'string'),
    fill: (message, encode) =>
      parts
        .map((part) => (typeof part === 'string' ? part : encode(partValue(part, message, secrets))))
        .join(''),
  };
}

/**
 * A template whose result is JSON: inside of strings a value is written as text, elsewhere as JSON.
 */
export function jsonTemplate(text: string, secrets?: WorkflowSecrets): Template {
  const parts = partsOf(text, secrets !== undefined);
  let inString = false;
  const encoded = parts.map((part) => {
    if (typeof part !== 'string') return { part, inString };
    inString = endsInString(part, inString);
    return { part, inString: false };
  });
  return {
    hasPlaceholders: parts.some((part) => typeof part !== 'string'),
    fill: (message) =>
      encoded
        .map(({ part, inString: asText }) => {
          if (typeof part === 'string') return part;
          const value = partValue(part, message, secrets);
          return asText ? JSON.stringify(formatValue(value)).slice(1, -1) : JSON.stringify(value ?? null);
        })
        .join(''),
  };
}

/**
 * What stands in double braces in a setting and stays as it is.
 *
 * @param withSecrets whether the setting takes secrets
 */
export function listUnknownPlaceholders(text: string, withSecrets: boolean): string[] {
  const parts = partsOf(text, withSecrets).filter((part) => typeof part === 'string');
  return parts.flatMap((part) => [...part.matchAll(/\{\{[^{}]*\}\}/g)].map(([whole]) => whole));
}

/** The names and positions of a path such as `payload.items[0].title`; a leading `msg` is left out. */
export function parsePropertyPath(property: string): readonly string[] {
  const names = [...property.matchAll(/\["([^"]*)"\]|\[(\d+)\]|[^.[\]]+/g)].map(
    ([whole, quoted, position]) => quoted ?? position ?? whole.trim(),
  );
  return names[0] === 'msg' ? names.slice(1) : names;
}

/** The value at a path; undefined if there is none. Reads own properties only. */
export function valueAt(fields: Fields, path: readonly string[]): unknown {
  let value: unknown = fields;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** A value as text: objects and lists as JSON, nothing as empty. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** In a header, or in a field of a mail: a line break would begin another one. */
export function inLine(value: unknown): string {
  return formatValue(value).replaceAll(/[\r\n\0]/g, '');
}

function partsOf(text: string, withSecrets: boolean): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, root, rest = ''] = match;
    const path = parsePropertyPath(rest);
    const isSecret = root === 'secret';
    if (isSecret && (!withSecrets || path.length !== 1)) continue;
    parts.push(text.slice(end, match.index), isSecret ? { secret: path[0] ?? '' } : { path });
    end = match.index + whole.length;
  }
  parts.push(text.slice(end));
  return parts;
}

function partValue(
  part: Exclude<Part, string>,
  message: Message,
  secrets: WorkflowSecrets | undefined,
): unknown {
  if ('path' in part) return valueAt(message.fields, part.path);
  const value = secrets?.value(part.secret);
  if (value === undefined) throw new Error(`there is no secret "${part.secret}"`);
  return value;
}

function endsInString(text: string, startsInString: boolean): boolean {
  let inString = startsInString;
  for (let index = 0; index < text.length; index++) {
    if (inString && text[index] === '\\') index++;
    else if (text[index] === '"') inString = !inString;
  }
  return inString;
}
