/**
 * What a page needs besides its template: the functions that a good developer writes once for a project. The
 * hand-written functions and the templates of the peers call them. Values reach them checked.
 */

/** The algorithm of the package `escape-html`, which Express and others use. */
export function escapeHtml(value: unknown): string {
  const text = String(value);
  const match = needsEscaping.exec(text);
  if (match === null) return text;
  let out = '';
  let last = 0;
  let index = match.index;
  for (; index < text.length; index += 1) {
    let replacement: string;
    switch (text.charCodeAt(index)) {
      case 34:
        replacement = '&quot;';
        break;
      case 38:
        replacement = '&amp;';
        break;
      case 39:
        replacement = '&#39;';
        break;
      case 60:
        replacement = '&lt;';
        break;
      case 62:
        replacement = '&gt;';
        break;
      default:
        continue;
    }
    if (last !== index) out += text.slice(last, index);
    last = index + 1;
    out += replacement;
  }
  return last === index ? out : out + text.slice(last);
}

const needsEscaping = /["'&<>]/;

export const months: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export const money = (value: number) => value.toFixed(2);

/** `1 May 2026` */
export const longDate = (date: Date) =>
  `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;

/** `2026-05-01` */
export const day = (date: Date) =>
  `${date.getUTCFullYear()}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;

/** `09:30` */
export const clock = (date: Date) => `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;

const twoDigits = (value: number) => (value < 10 ? `0${value}` : String(value));

/** The text in at most `count` characters. */
export const shorten = (text: string, count: number) =>
  text.length <= count ? text : `${text.slice(0, count - 1)}…`;

/** The first `count` words. */
export function words(text: string, count: number): string {
  const list = text.trim().split(/\s+/);
  return list.length <= count ? list.join(' ') : `${list.slice(0, count).join(' ')} …`;
}

/** Escaped, with a `<br>` at each end of a line. */
export const breaks = (text: string) => escapeHtml(text).replace(/\n/g, '<br>');

export const plural = (count: number, many = 's') => (count === 1 ? '' : many);

/** JSON that may stand in a script element. */
export const json = (value: unknown) =>
  JSON.stringify(value).replace(/[<>&]/g, (char) =>
    char === '<' ? '\\u003C' : char === '>' ? '\\u003E' : '\\u0026',
  );

export const query = (text: string) => encodeURIComponent(text);

export const slug = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-');

/** Runs of entries with equal keys. */
export function runs<Entry>(list: readonly Entry[], keyOf: (entry: Entry) => string) {
  const made: { readonly key: string; readonly list: Entry[] }[] = [];
  for (const entry of list) {
    const key = keyOf(entry);
    const last = made.at(-1);
    if (last !== undefined && last.key === key) last.list.push(entry);
    else made.push({ key, list: [entry] });
  }
  return made;
}

/** Runs of entries with the same text in a field. */
export const runsBy = <Field extends string>(
  list: readonly Readonly<Record<Field, string>>[],
  field: Field,
) => runs(list, (entry) => entry[field]);

/** Names of filters in templates with Django's syntax. */
export const filters = {
  upper: (text: string) => text.toUpperCase(),
  floatformat: (value: number, places: number) => value.toFixed(places),
  date: (date: Date, format: string) => dateFormats.get(format)?.(date) ?? '',
  truncatechars: shorten,
  truncatewords: words,
  pluralize: plural,
  urlencode: query,
  slugify: slug,
  join: (list: readonly string[], separator: string) => list.join(separator),
  length: (list: { readonly length: number }) => list.length,
  default: (value: unknown, other: unknown) => value || other,
  times: (left: number, right: number) => left * right,
  plus: (left: number, right: number) => left + right,
  minus: (left: number, right: number) => left - right,
} as const;

/** Filters whose result is HTML. */
export const markupFilters = { linebreaksbr: breaks, json } as const;

const dateFormats: ReadonlyMap<string, (date: Date) => string> = new Map([
  ['j F Y', longDate],
  ['Y-m-d', day],
  ['H:i', clock],
]);
