/** Markup that repeats with other texts and addresses: cards, entries of lists, quotes. */
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { CardPattern } from '../messages.ts';

/** Smallest repeated markup, in elements and in characters, and how often it must occur. */
const limits = { elements: 3, length: 80, occurrences: 3, holes: 20, depth: 60 } as const;

interface Found {
  readonly shape: string;
  readonly elements: number;
  readonly start: number;
  readonly end: number;
  /** Where the texts and addresses stand that may differ. */
  readonly holes: readonly Hole[];
}

interface Hole {
  readonly start: number;
  readonly end: number;
  /** What it is, for a name. */
  readonly name: string;
}

/** A place where markup of a shape stands. */
interface Occurrence {
  readonly pageId: number;
  readonly html: string;
  readonly found: Found;
  /** The same for all places in one text. */
  readonly text: object;
}

/** A card with the pages that it occurs on. */
export interface FoundCard {
  readonly pattern: CardPattern;
  readonly pages: readonly number[];
  readonly occurrences: number;
}

/** Repeated markup, what saves most first. @param texts parts of pages, which are read one by one */
export function findCards(
  texts: readonly { readonly pageId: number; readonly html: string }[],
  most: number,
): FoundCard[] {
  const groups = new Map<string, Occurrence[]>();
  for (const text of texts) {
    const { pageId, html } = text;
    for (const found of shapesIn(html)) {
      const group = groups.get(found.shape) ?? [];
      group.push({ pageId, html, found, text });
      groups.set(found.shape, group);
    }
  }
  const candidates = [...groups.values()]
    .filter((group) => group.length >= limits.occurrences)
    .sort((left, right) => savedBy(right) - savedBy(left));
  const cards: FoundCard[] = [];
  const covered: { readonly text: object; readonly start: number; readonly end: number }[] = [];
  for (const group of candidates) {
    if (cards.length === most) break;
    const isInside = group.some(({ text, found }) =>
      covered.some((area) => area.text === text && found.start < area.end && found.end > area.start),
    );
    const [sample] = group;
    if (isInside || sample === undefined) continue;
    for (const { text, found } of group) covered.push({ text, start: found.start, end: found.end });
    const pattern = patternOf(group.map(({ html, found }) => ({ html, found })));
    if (pattern === undefined) continue;
    cards.push({
      pattern,
      pages: [...new Set(group.map(({ pageId }) => pageId))],
      occurrences: group.length,
    });
  }
  return cards;
}

function savedBy(group: readonly { readonly found: Found }[]): number {
  return group.reduce((sum, { found }) => sum + (found.end - found.start), 0) * (1 - 1 / group.length);
}

/** Replaces each occurrence of a card by a call of its snippet. */
export function useCard({ shape, holes }: CardPattern, name: string, html: string): string {
  let result = '';
  let from = 0;
  for (const found of shapesIn(html)) {
    if (found.shape !== shape || found.start < from) continue;
    const values = found.holes.map(({ start, end }) => html.slice(start, end));
    const call = callOf(name, holes, values);
    if (call === undefined) continue;
    result += html.slice(from, found.start) + call;
    from = found.end;
  }
  return result + html.slice(from);
}

/** Undefined if a value cannot be handed over unchanged. */
function callOf(name: string, holes: CardPattern['holes'], values: readonly string[]): string | undefined {
  let parameters = '';
  let fills = '';
  for (const [index, hole] of holes.entries()) {
    const value = values[index] ?? '';
    if (hole.kind === 'constant') {
      if (value !== hole.value) return undefined;
    } else if (hole.kind === 'parameter') {
      if (!isQuotable(value)) return undefined;
      parameters += ` ${hole.name}="${value}"`;
    } else {
      // Of white space alone a slot shows nothing.
      if (value !== '' && value.trim() === '') return undefined;
      fills += `{% fill ${hole.name} %}${value}{% endfill %}`;
    }
  }
  return fills === ''
    ? `{% component "${name}"${parameters} / %}`
    : `{% component "${name}"${parameters} %}${fills}{% endcomponent %}`;
}

/** Whether a value can stand in a literal of the template language as it is. */
function isQuotable(value: string): boolean {
  return value.length <= 300 && !/["\\{}%\r\n]/.test(value);
}

/** The snippet of a group: its first occurrence with parameters and slots in place of what differs. */
function patternOf(
  group: readonly { readonly html: string; readonly found: Found }[],
): CardPattern | undefined {
  const [sample] = group;
  if (sample === undefined) return undefined;
  const { html, found } = sample;
  const used = new Map<string, number>();
  let template = '';
  let from = found.start;
  const holes = found.holes.map((hole, index): CardPattern['holes'][number] => {
    const values = group.map((other) => {
      const place = other.found.holes[index];
      return place === undefined ? '' : other.html.slice(place.start, place.end);
    });
    const [value = ''] = values;
    template += html.slice(from, hole.start);
    from = hole.end;
    if (values.every((other) => other === value)) {
      template += value;
      return { kind: 'constant', name: '', value };
    }
    const count = (used.get(hole.name) ?? 0) + 1;
    used.set(hole.name, count);
    const name = count === 1 ? hole.name : `${hole.name}_${count}`;
    const kind = values.every(isQuotable) ? 'parameter' : 'slot';
    template += kind === 'parameter' ? `{{ ${name}|safe }}` : `{% slot ${name} %}{% endslot %}`;
    return { kind, name, value: '' };
  });
  template += html.slice(from, found.end);
  if (holes.filter(({ kind }) => kind !== 'constant').length > limits.holes) return undefined;
  return { shape: found.shape, name: nameOf(html.slice(found.start, found.end)), template, holes };
}

/** A name from the first class, else from the element. */
function nameOf(source: string): string {
  const [, tag = 'part'] = /^<([a-z][a-z0-9]*)/i.exec(source) ?? [];
  const [, first = ''] = /^<[^>]*\sclass="\s*([a-z0-9_-]+)/i.exec(source) ?? [];
  return (first === '' ? tag : first).toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-');
}

/** Every element that is large enough, with its shape, in document order. */
function shapesIn(html: string): Found[] {
  const list: Found[] = [];
  const fragment = parseFragment(html, { sourceCodeLocationInfo: true });
  for (const node of fragment.childNodes) if ('tagName' in node) collect(node, html, list, 0);
  return list.sort((left, right) => left.start - right.start || right.end - left.end);
}

/** Adds the element and those in it; undefined if its source is not its own, such as that of repaired markup. */
function collect(element: Tree.Element, html: string, list: Found[], depth: number): Found | undefined {
  const place = element.sourceCodeLocation;
  if (depth > limits.depth || !place?.startTag || !html.startsWith('<', place.startOffset)) return undefined;
  const holes: Hole[] = [];
  let shape = element.tagName;
  let elements = 1;
  let isWhole = true;
  for (const { name, value } of element.attrs) {
    if (name === 'class' || name === 'id') shape += ` ${name}=${value}`;
    else {
      const at = place.attrs?.[name];
      const source = at === undefined ? '' : html.slice(at.startOffset, at.endOffset);
      const quote = source.indexOf('="');
      if (at === undefined || (quote < 0 && value !== '')) isWhole = false;
      else if (quote >= 0)
        holes.push({ start: at.startOffset + quote + 2, end: at.endOffset - 1, name: parameterName(name) });
      shape += ` ${name}`;
    }
  }
  shape += '>';
  for (const child of element.childNodes) {
    const at = child.sourceCodeLocation;
    if (at === undefined || at === null) isWhole = false;
    else if ('tagName' in child) {
      const inner = collect(child, html, list, depth + 1);
      if (inner === undefined) isWhole = false;
      else {
        shape += `<${inner.shape}`;
        elements += inner.elements;
        holes.push(...inner.holes);
      }
    } else if ('value' in child && child.value.trim() !== '') {
      holes.push({ start: at.startOffset, end: at.endOffset, name: textName(element.tagName) });
      shape += '#';
    } else shape += html.slice(at.startOffset, at.endOffset);
  }
  shape += '/';
  if (!isWhole) return undefined;
  const found = { shape, elements, start: place.startOffset, end: place.endOffset, holes };
  if (elements >= limits.elements && found.end - found.start >= limits.length) list.push(found);
  return found;
}

function parameterName(attribute: string): string {
  const name = attribute
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return /^[a-z]/.test(name) ? `${name}_value` : 'value';
}

function textName(tag: string): string {
  return /^h[1-6]$/.test(tag) ? 'heading' : `${tag.replaceAll(/[^a-z0-9]/g, '')}_text`;
}
