/**
 * Values of the type `link`: what a link leads to, its text, and whether it opens a new tab. A stored link has exactly
 * one of `page`, `entry`, `file` (IDs) and `url`, and `text` and `new_tab` if they were sent.
 */
import { toFlag, toId, toText } from './convert.ts';
import { ConversionError } from './definition.ts';
import { parseJsonText } from './json-text.ts';

/** What a link may lead to by its ID, and the kind of object that it is. */
export const linkTargets = { page: 'page', entry: 'item', file: 'file' } as const;
export type LinkTarget = keyof typeof linkTargets;

/** A link as it is stored. */
export interface LinkData {
  readonly page?: number;
  readonly entry?: number;
  readonly file?: number;
  readonly url?: string;
  readonly text?: string;
  readonly new_tab?: boolean;
}

/** The names of what a link may lead to by its ID. */
export const linkTargetNames = ['page', 'entry', 'file'] as const satisfies readonly LinkTarget[];

const maxUrlLength = 2000;

/** The link to store, also from JSON text; unknown keys are dropped. */
export function toLink(value: unknown): LinkData | null | ConversionError {
  const sent = typeof value === 'string' ? parseJsonText(value) : value;
  if (!isObject(sent)) return new ConversionError('must be a link, as an object or as JSON text');
  const named = [...linkTargetNames, 'url'].filter((name) => !isNoTarget(sent[name]));
  const [name] = named;
  if (name === undefined || named.length > 1)
    return new ConversionError('must have exactly one of page, entry, file and url');
  const to = name === 'url' ? toUrl(sent['url']) : toId(sent[name]);
  if (to instanceof ConversionError) return within(name, to);
  const text = isMissing(sent['text']) ? undefined : toText(sent['text']);
  if (text instanceof ConversionError) return within('text', text);
  const newTab = isMissing(sent['new_tab']) ? undefined : toFlag(sent['new_tab']);
  if (newTab instanceof ConversionError) return within('new_tab', newTab);
  return {
    [name]: to,
    ...(text === undefined ? {} : { text }),
    ...(newTab === undefined ? {} : { new_tab: newTab }),
  };
}

function within(part: string, { reason }: ConversionError): ConversionError {
  return new ConversionError(`${part} ${reason}`);
}

/** Whether a value is a link as it is stored. */
export function isLink(value: unknown): value is LinkData {
  return isObject(value) && !(toLink(value) instanceof ConversionError);
}

/** An address that a browser may be sent to: no script, and nothing that a browser would read as another one. */
function toUrl(value: unknown): string | ConversionError {
  const text = typeof value === 'string' ? value.trim() : '';
  const isPossible =
    /^(?:https?:\/\/[^\s/?#]|mailto:\S|tel:\S|\/|#)/i.test(text) && !/[\p{Cc}\\]/u.test(text);
  if (!isPossible) return new ConversionError('must begin with http:, https:, mailto:, tel:, / or #');
  return text.length <= maxUrlLength
    ? text
    : new ConversionError(`must have at most ${maxUrlLength} characters`);
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** An ID of 0 is none. */
function isNoTarget(value: unknown): boolean {
  return isMissing(value) || toId(value) === null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
