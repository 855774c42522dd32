/** Text files: front matter in YAML, JSON with sorted keys, and the place of what is wrong in them. */
import { isMap, isScalar, LineCounter, parseDocument, stringify } from 'yaml';
import { compareText, type FolderFields } from './content.ts';
import { TextFault } from './text-fault.ts';

/** Keys with their values, and where each key stands. */
export interface ParsedKeys {
  readonly fields: FolderFields;
  placeOf(key: string): { readonly line: number; readonly column: number };
}

/** Front matter and the text after it. */
export interface FrontMatterFile extends ParsedKeys {
  readonly body: string;
  /** Line of the first character of `body`, from 1. */
  readonly bodyLine: number;
}

/** How front matter is set off. Style sheets and scripts have it in a comment. */
export interface Fence {
  readonly open: string;
  readonly close: string;
}
export const htmlFence: Fence = { open: '---', close: '---' };
export const codeFence: Fence = { open: '/*---', close: '---*/' };

const noKeys: ParsedKeys = { fields: {}, placeOf: () => ({ line: 1, column: 1 }) };

/** Reads a file with front matter. @throws TextFault */
export function parseFrontMatter(text: string, fence: Fence): FrontMatterFile {
  if (text !== fence.open && !text.startsWith(`${fence.open}\n`))
    return { ...noKeys, body: text, bodyLine: 1 };
  const start = fence.open.length + 1;
  const end = text.startsWith(fence.close, start)
    ? start
    : text.indexOf(`\n${fence.close}`, fence.open.length) + 1;
  const after = end + fence.close.length;
  const isClosed = end > 0 && (after === text.length || text[after] === '\n');
  if (!isClosed) throw new TextFault(`The front matter needs a line ${fence.close} at its end.`, 1, 1);
  const yaml = text.slice(start, end);
  const keys = parseYaml(yaml, 1);
  const body = text.slice(after + 1);
  return { ...keys, body, bodyLine: text.slice(0, after).split('\n').length + 1 };
}

/** Writes a file with front matter; without keys only the text, unless it looks like front matter. */
export function formatFrontMatter(
  fields: FolderFields,
  body: string,
  fence: Fence,
  isNeeded = false,
): string {
  const isLikeFence = body === fence.open || body.startsWith(`${fence.open}\n`);
  if (Object.keys(fields).length === 0 && !isNeeded && !isLikeFence) return body;
  return `${fence.open}\n${formatYaml(fields)}${fence.close}\n${body}`;
}

/** @param linesBefore lines of the file before the text. @throws TextFault */
function parseYaml(yaml: string, linesBefore: number): ParsedKeys {
  const counter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: counter, schema: 'core', uniqueKeys: true });
  const placeAt = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return { line: line + linesBefore, column: col };
  };
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, column } = placeAt(error.pos[0]);
    throw new TextFault(error.message.split('\n')[0] ?? error.message, line, column);
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return noKeys;
  if (!isMap(contents)) throw new TextFault('The front matter must have keys.', linesBefore + 1, 1);
  const fields = toPlain(document.toJS({ maxAliasCount: 100 }));
  const places = new Map(
    contents.items.map(({ key }) => [
      isScalar(key) ? String(key.value) : String(key),
      isScalar(key) && key.range ? placeAt(key.range[0]) : { line: linesBefore + 1, column: 1 },
    ]),
  );
  return { fields, placeOf: (key) => places.get(key) ?? { line: linesBefore + 1, column: 1 } };
}

function toPlain(value: unknown): FolderFields {
  // Type boundary: the document is a map with texts as keys.
  return JSON.parse(JSON.stringify(value)) as FolderFields;
}

function formatYaml(fields: FolderFields): string {
  if (Object.keys(fields).length === 0) return '';
  return stringify(sortKeys(fields), { schema: 'core', lineWidth: 0, aliasDuplicateObjects: false });
}

/** @throws TextFault */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw locateFault(text, error instanceof Error ? error.message : String(error));
  }
}

/** Reads a JSON file with an object. @throws TextFault */
export function parseJsonKeys(text: string): ParsedKeys {
  const value = parseJson(text);
  if (!isFields(value)) throw new TextFault('The file must hold an object: { … }.', 1, 1);
  return { fields: value, placeOf: (key) => findKey(text, key) };
}

/** JSON as all files have it: two spaces, sorted keys, a newline at the end. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(sortKeys(value), null, 2)}\n`;
}

function locateFault(text: string, message: string): TextFault {
  const known = /\(line (\d+) column (\d+)\)/.exec(message);
  const position = /at position (\d+)/.exec(message);
  const before = text.slice(0, position === null ? text.length : Number(position[1])).split('\n');
  const place =
    known === null
      ? { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
      : { line: Number(known[1]), column: Number(known[2]) };
  const reason = message.replace(/ in JSON at position.*$/s, '').replace(/ \(line.*$/s, '');
  return new TextFault(`This is no JSON: ${reason}.`, place.line, place.column);
}

function findKey(text: string, key: string): { line: number; column: number } {
  const at = text.indexOf(JSON.stringify(key));
  const before = text.slice(0, Math.max(0, at)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The same value with the keys of all objects in order. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => compareText(left, right))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}

/** The value with LF in place of CRLF in all texts. */
export function withLineFeeds(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\r\n') ? value.replaceAll('\r\n', '\n') : value;
  if (Array.isArray(value)) return value.map(withLineFeeds);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withLineFeeds(inner)]));
}

export function isFields(value: unknown): value is FolderFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
