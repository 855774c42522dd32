import { clock, day, escapeHtml, longDate, months, words } from '../render/tools.ts';
import type { Row } from './data.ts';

/** What is printed for each row, and the code that a good developer would write for it. */
export interface FilterCase {
  /** The expression between `{{` and `}}`; `row` is the row. */
  readonly expression: string;
  readonly byHand: (row: Row) => string;
}

const long = (text: string) => {
  const [year, month, dayOfMonth] = text.split('-').map(Number);
  return `${dayOfMonth} ${months[(month ?? 1) - 1]} ${year}`;
};

const capitalized = (text: string) =>
  text.toLowerCase().replace(/(?<![\p{L}'])\p{L}/gu, (letter) => letter.toUpperCase());

const lines = (text: string) => text.replace(/\r\n?/g, '\n');

const paragraphs = (text: string) =>
  lines(escapeHtml(text))
    .split(/\n{2,}/)
    .map((part) => `<p>${part.replaceAll('\n', '<br>')}</p>`)
    .join('\n\n');

const units = ['bytes', 'KB', 'MB', 'GB'];

function fileSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < 3) {
    size /= 1024;
    unit += 1;
  }
  const word = bytes === 1 ? 'byte' : units[unit];
  return `${unit === 0 ? size : size.toFixed(1)}\u00a0${word}`;
}

function wrapped(text: string, width: number): string {
  return lines(text)
    .split('\n')
    .map((line) => wrappedLine(line, width))
    .join('\n');
}

function wrappedLine(line: string, width: number): string {
  let out = '';
  let length = 0;
  for (const word of line.split(' ')) {
    if (out === '') length = word.length;
    else if (length + 1 + word.length > width) {
      out += '\n';
      length = word.length;
    } else {
      out += ' ';
      length += 1 + word.length;
    }
    out += word;
  }
  return out;
}

const firstLetters = (text: string, count: number) => Array.from(text).slice(0, count).join('');

export const filterCases: readonly FilterCase[] = [
  { expression: 'row.day|date:"j F Y"', byHand: (row) => long(row.day) },
  { expression: 'row.time|date:"j F Y"', byHand: (row) => longDate(new Date(row.time)) },
  { expression: 'row.date|date:"j F Y"', byHand: (row) => longDate(row.date) },
  { expression: 'row.date|date:"Y-m-d"', byHand: (row) => day(row.date) },
  { expression: 'row.date|date:"c"', byHand: (row) => row.date.toISOString().replace('.000Z', '+00:00') },
  { expression: 'row.date|time:"H:i"', byHand: (row) => clock(row.date) },
  {
    expression: 'row.price|floatformat',
    byHand: (row) => (Number.isInteger(row.price) ? String(row.price) : row.price.toFixed(1)),
  },
  { expression: 'row.ratio|floatformat:1', byHand: (row) => row.ratio.toFixed(1) },
  { expression: 'row.price|floatformat:2', byHand: (row) => row.price.toFixed(2) },
  { expression: 'row.title|length', byHand: (row) => String(Array.from(row.title).length) },
  { expression: 'row.tags|length', byHand: (row) => String(row.tags.length) },
  { expression: 'row.title|slice:":8"', byHand: (row) => escapeHtml(firstLetters(row.title, 8)) },
  { expression: 'row.title|truncatechars:12', byHand: (row) => escapeHtml(shorten(row.title, 12)) },
  { expression: 'row.text|linebreaks', byHand: (row) => paragraphs(row.text) },
  {
    expression: 'row.text|linebreaksbr',
    byHand: (row) => lines(escapeHtml(row.text)).replaceAll('\n', '<br>'),
  },
  { expression: 'row.title|urlencode', byHand: (row) => encodeURIComponent(row.title) },
  { expression: 'row.isNew|yesno:"new,old"', byHand: (row) => (row.isNew ? 'new' : 'old') },
  {
    expression: 'row.count|divisibleby:3|yesno:"new,old"',
    byHand: (row) => (row.count % 3 === 0 ? 'new' : 'old'),
  },
  { expression: 'row.html|striptags', byHand: (row) => escapeHtml(row.html.replace(/<[^>]*>/g, '')) },
  { expression: 'row.title|title', byHand: (row) => escapeHtml(capitalized(row.title)) },
  { expression: 'row.title|upper', byHand: (row) => escapeHtml(row.title.toUpperCase()) },
  {
    expression: 'row.title|capfirst',
    byHand: (row) => escapeHtml(row.title.charAt(0).toUpperCase() + row.title.slice(1)),
  },
  { expression: 'row.bytes|filesizeformat', byHand: (row) => fileSize(row.bytes) },
  { expression: 'row.ratio|stringformat:".3f"', byHand: (row) => row.ratio.toFixed(3) },
  { expression: 'row.count|stringformat:"03d"', byHand: (row) => String(row.count).padStart(3, '0') },
  { expression: 'row.text|wordwrap:30', byHand: (row) => escapeHtml(wrapped(row.text, 30)) },
  { expression: 'row.text|wordcount', byHand: (row) => String(row.text.trim().split(/\s+/).length) },
  { expression: 'row.title|slugify', byHand: (row) => slug(row.title) },
  { expression: 'row.tags|join:", "', byHand: (row) => escapeHtml(row.tags.join(', ')) },
  { expression: 'row.count|pluralize', byHand: (row) => (row.count === 1 ? '' : 's') },
  { expression: 'row.title|escapejs', byHand: (row) => row.title.replace(/["&'<>\\-]/g, jsEscape) },
  { expression: 'row.tags|first', byHand: (row) => escapeHtml(row.tags[0] ?? '') },
  { expression: 'row.title|default:"none"', byHand: (row) => escapeHtml(row.title || 'none') },
  { expression: 'row.count|add:5', byHand: (row) => String(row.count + 5) },
  {
    expression: '"many" if row.tags|length > 1 else "few"',
    byHand: (row) => (row.tags.length > 1 ? 'many' : 'few'),
  },
  {
    expression: '"third" if row.count|divisibleby:3 else ""',
    byHand: (row) => (row.count % 3 === 0 ? 'third' : ''),
  },
  {
    expression: 'row.tags|slice:":2"|join:", "',
    byHand: (row) => escapeHtml(row.tags.slice(0, 2).join(', ')),
  },
  {
    expression: 'row.html|striptags|truncatewords:5',
    byHand: (row) => escapeHtml(words(row.html.replace(/<[^>]*>/g, ''), 5)),
  },
  {
    expression: 'row.tags|first|default:"none"|upper',
    byHand: (row) => escapeHtml((row.tags[0] ?? 'none').toUpperCase()),
  },
  { expression: 'row.count|add:5|floatformat:2', byHand: (row) => (row.count + 5).toFixed(2) },
];

function jsEscape(char: string): string {
  return `\\u00${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

function shorten(text: string, count: number): string {
  const letters = Array.from(text);
  return letters.length <= count ? text : `${letters.slice(0, count - 1).join('')}…`;
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-');
}
