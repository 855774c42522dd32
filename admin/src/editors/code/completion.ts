/** What can be typed at a place of a template. Free of the editor, so that it is tested alone. */
import { toRecord } from '../../api/failure.ts';
import forms from './words/forms.json' with { type: 'json' };

/** What a template can use. */
export interface TemplateFacts {
  readonly snippets: readonly string[];
  /** Slugs of collections and sources. */
  readonly lists: readonly string[];
  /** Variables with example values, as the server fills them in. */
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface Offer {
  readonly label: string;
  /** What it is: `tag`, `filter`, `function`, `snippet`, `list`, or the type of an example value. */
  readonly detail: string;
}

export interface Completion {
  /** How many characters before the place the offers replace. */
  readonly length: number;
  readonly offers: readonly Offer[];
}

/** The offers after a text; undefined where there are none. @param before the template up to the place */
export function completionAfter(before: string, facts: TemplateFacts): Completion | undefined {
  const code = openCode(before);
  if (code === undefined) return undefined;
  const snippet = /^\{%-?\s*(?:include|extends|component|import)\s+["']([^"']*)$/.exec(code)?.[1];
  if (snippet !== undefined) return offer(snippet, facts.snippets, () => 'snippet');
  const list = /\b(?:data|item)\(\s*["']([^"']*)$/.exec(code)?.[1];
  if (list !== undefined) return offer(list, facts.lists, () => 'list');
  const tag = /^\{%-?\s*(\w*)$/.exec(code)?.[1];
  if (tag !== undefined) return offer(tag, Object.keys(forms.tags), () => 'tag');
  const filter = /\|\s*(\w*)$/.exec(code)?.[1];
  if (filter !== undefined && !isInText(code))
    return offer(filter, Object.keys(forms.filters), () => 'filter');
  // In a text, and after the sign of a filter, variables have no place.
  if (isInText(code)) return undefined;
  const path = /(?:^|[^\w.|"'])([A-Za-z_][\w.]*)$/.exec(code)?.[1];
  return path === undefined ? undefined : offerFields(path, facts.variables);
}

/** The tag or output that is open at the end of a text. */
function openCode(before: string): string | undefined {
  const start = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  if (start < 0) return undefined;
  const code = before.slice(start);
  return /[%}]\}/.test(code) ? undefined : code;
}

function isInText(code: string): boolean {
  return (code.replace(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1;
}

function offerFields(path: string, variables: Readonly<Record<string, unknown>>): Completion | undefined {
  const names = path.split('.');
  const typed = names.pop() ?? '';
  let value: unknown = names.length === 0 ? { ...functions, ...variables } : variables;
  for (const name of names) value = toRecord(value)[name];
  if (Array.isArray(value)) return undefined;
  const fields = toRecord(value);
  return offer(typed, Object.keys(fields), (name) => typeName(fields[name]));
}

function offer(
  typed: string,
  names: readonly string[],
  detailOf: (name: string) => string,
): Completion | undefined {
  const words = typed.toLowerCase();
  const fitting = names.filter((name) => name.toLowerCase().includes(words) && name !== typed);
  if (fitting.length === 0) return undefined;
  const offers = fitting.toSorted(byPrefix(words)).map((label) => ({ label, detail: detailOf(label) }));
  return { length: typed.length, offers };
}

/** Names that begin with what was typed come first. */
function byPrefix(words: string): (left: string, right: string) => number {
  const rank = (name: string) => (name.toLowerCase().startsWith(words) ? 0 : 1);
  return (left, right) => rank(left) - rank(right) || left.localeCompare(right);
}

/** What a name is offered as that is called. */
const functions = Object.fromEntries(Object.keys(forms.functions).map((name) => [name, noValue]));

function noValue(): void {}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? 'list' : typeof value;
}
