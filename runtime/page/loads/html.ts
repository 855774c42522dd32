import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { loadsInCss } from './css.ts';
import type { Directive, Inline, Load } from './loads.ts';
import { loadsInScript } from './script.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** What a document loads and what is inline in it. */
export interface DocumentLoads {
  readonly loads: readonly Load[];
  readonly inline: readonly Inline[];
}

/** Reads a document as browsers do. */
export function loadsInHtml(html: string): DocumentLoads {
  const loads: Load[] = [];
  const inline: Inline[] = [];
  for (const element of elementsIn(parse(html))) {
    const attributes = new Map(element.attrs.map(({ name, value }) => [name, value]));
    for (const [name, value] of attributes) {
      if (name === 'style') {
        inline.push({ kind: 'style attribute', text: value });
        loads.push(...loadsInCss(value));
      } else if (name.startsWith('on')) {
        inline.push({ kind: 'event handler', text: value });
      } else if (/^\s*javascript:/i.test(value)) {
        inline.push({ kind: 'event handler', text: value.trim().slice('javascript:'.length) });
      }
    }
    readers[element.tagName]?.({ attributes, text: () => textOf(element), loads, inline });
  }
  return { loads, inline };
}

interface ElementReading {
  readonly attributes: ReadonlyMap<string, string>;
  text(): string;
  readonly loads: Load[];
  readonly inline: Inline[];
}

/** An element whose attributes hold one address each. */
function addresses(directive: Directive, ...names: readonly string[]) {
  return ({ attributes, loads }: ElementReading): void => {
    for (const name of names) {
      const address = attributes.get(name);
      if (address !== undefined) loads.push({ directive, address });
    }
  };
}

function images(...names: readonly string[]) {
  const ofAttributes = addresses('img-src', ...names);
  return (reading: ElementReading): void => {
    ofAttributes(reading);
    for (const candidate of (reading.attributes.get('srcset') ?? '').split(/,\s/)) {
      const address = candidate.trim().split(/\s/, 1)[0] ?? '';
      if (address !== '') reading.loads.push({ directive: 'img-src', address });
    }
  };
}

/** What each element loads. */
const readers: Readonly<Record<string, (reading: ElementReading) => void>> = {
  script: readScript,
  style({ text, loads, inline }) {
    inline.push({ kind: 'style', text: text() });
    loads.push(...loadsInCss(text()));
  },
  link: readLink,
  img: images('src'),
  source(reading) {
    images()(reading);
    addresses('media-src', 'src')(reading);
  },
  input: addresses('img-src', 'src'),
  image: addresses('img-src', 'href', 'xlink:href'),
  video(reading) {
    addresses('media-src', 'src')(reading);
    addresses('img-src', 'poster')(reading);
  },
  audio: addresses('media-src', 'src'),
  track: addresses('media-src', 'src'),
  iframe: addresses('frame-src', 'src'),
  frame: addresses('frame-src', 'src'),
  embed: addresses('object-src', 'src'),
  object: addresses('object-src', 'data'),
  form: addresses('form-action', 'action'),
  button: addresses('form-action', 'formaction'),
  a: addresses('connect-src', 'ping'),
};

/** Types of scripts that browsers run; others, such as JSON-LD, are data. */
const runnable = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i;

function readScript({ attributes, text, loads, inline }: ElementReading): void {
  if (!runnable.test((attributes.get('type') ?? '').trim())) return;
  const src = attributes.get('src');
  if (src !== undefined) {
    loads.push({ directive: 'script-src', address: src });
    return;
  }
  inline.push({ kind: 'script', text: text() });
  loads.push(...loadsInScript(text()));
}

/** What a link loads, by its relation and, for preloads, by `as`. */
const linked: Readonly<Record<string, Directive>> = {
  stylesheet: 'style-src',
  icon: 'img-src',
  'apple-touch-icon': 'img-src',
  'mask-icon': 'img-src',
  manifest: 'manifest-src',
  modulepreload: 'script-src',
};
const preloaded: Readonly<Record<string, Directive>> = {
  style: 'style-src',
  script: 'script-src',
  font: 'font-src',
  image: 'img-src',
  fetch: 'connect-src',
};

function readLink({ attributes, loads }: ElementReading): void {
  const address = attributes.get('href') ?? '';
  for (const relation of (attributes.get('rel') ?? '').toLowerCase().split(/\s+/)) {
    const directive =
      relation === 'preload' ? preloaded[(attributes.get('as') ?? '').toLowerCase()] : linked[relation];
    if (directive !== undefined) loads.push({ directive, address });
  }
}

function* elementsIn(node: Node): Generator<Element> {
  const open: Node[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ('tagName' in next) yield next;
    if ('childNodes' in next) open.push(...next.childNodes.toReversed());
    if ('content' in next) open.push(next.content);
  }
}

function textOf(element: Element): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}
