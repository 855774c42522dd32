/** Conversions of texts with a form of their own: colours, addresses of people, moments, and several options. */
import { readIsoText } from '../dates/iso-text.ts';
import { toOption, toText } from './convert.ts';
import { ConversionError, type FieldDefinition } from './definition.ts';
import { parseJsonText } from './json-text.ts';

/** `#rgb`, `#rrggbb` or `#rrggbbaa`, in lower case and in full. */
export function toColor(value: unknown): string | ConversionError {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(text))
    return new ConversionError('must be a colour such as #1a2b3c');
  return text.length === 4 ? `#${[...text.slice(1)].map((digit) => digit + digit).join('')}` : text;
}

/** What browsers take for an address, which a name or a second address around it is not. */
const emailForm =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
/** Longest address by RFC 5321. */
const maxEmail = 254;

export function toEmail(value: unknown): string | ConversionError {
  const text = typeof value === 'string' ? value.trim() : '';
  return text.length <= maxEmail && emailForm.test(text)
    ? text
    : new ConversionError('must be an e-mail address such as ada@example.com');
}

/** Stored as it is sent. */
export function toPhone(value: unknown): string | ConversionError {
  const text = toText(value);
  if (text instanceof ConversionError) return text;
  const isPossible = text.length <= 100 && /^[+\d \-/()]+$/.test(text) && /(?:\d[^\d]*){3}/.test(text);
  return isPossible
    ? text
    : new ConversionError('must be a phone number: +, digits, spaces and -/(), with at least three digits');
}

const momentForm = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** A moment of RFC 3339, with its zone, as `YYYY-MM-DDTHH:MM:SSZ`. Fractions of a second are cut. */
export function toMoment(value: unknown): string | ConversionError {
  const moment = typeof value === 'string' ? momentIn(value.trim()) : undefined;
  return moment ?? new ConversionError('must be a time with its zone such as 2026-05-31T09:30:00Z');
}

/**
 * What moments are compared with: also a day or a time without a zone, which are taken as those of UTC, and the dates of
 * templates. Undefined for all other values.
 */
export function toComparedMoment(value: unknown): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : shortMoment(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text;
  const minute = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d$/.test(day) ? `${day}:00` : day;
  return momentIn(minute) ?? momentIn(`${minute}Z`);
}

function momentIn(text: string): string | undefined {
  const [, day, time, zone = ''] = momentForm.exec(text) ?? [];
  const iso = `${day}T${time}${zone.toUpperCase()}`;
  // Days that do not exist would become others.
  if (day === undefined || !readIsoText(iso)) return undefined;
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? undefined : shortMoment(date);
}

/** Undefined for years that four digits cannot say. */
function shortMoment(date: Date): string | undefined {
  const iso = date.toISOString();
  return iso.length === 24 ? `${iso.slice(0, 19)}Z` : undefined;
}

/** Most options of one value. */
const maxOptions = 1000;

/**
 * Several options: a list, also as JSON text, or a text with commas. Duplicates are dropped, the order is kept; none is
 * null.
 */
export function toOptions(
  value: unknown,
  field: Pick<FieldDefinition, 'options'>,
): readonly string[] | null | ConversionError {
  const list = typeof value === 'string' ? optionsIn(value) : value;
  if (!Array.isArray(list)) return new ConversionError('must be a list of options');
  if (list.length > maxOptions) return new ConversionError(`must have at most ${maxOptions} options`);
  const options = new Set<string>();
  for (const part of list) {
    if (part === '') continue;
    const option = toOption(part, field);
    if (option instanceof ConversionError) return option;
    options.add(option);
  }
  return options.size === 0 ? null : [...options];
}

function optionsIn(text: string): unknown {
  const list = text.trimStart().startsWith('[') ? parseJsonText(text) : undefined;
  return Array.isArray(list) ? list : text.split(',').map((option) => option.trim());
}

/** The cell of several options: with commas, or JSON if that would be read as others. */
export function writeOptions(value: unknown): string {
  const options: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isPlain = options.every(
    (option) => typeof option === 'string' && !option.includes(',') && option === option.trim(),
  );
  const text = options.join(',');
  return isPlain && !text.startsWith('[') ? text : JSON.stringify(options);
}
