/**
 * Reads the text of a template as HTML, piece by piece, to find the context of a value printed between two
 * pieces: text, a part of a tag, the value of an attribute, a script. Follows the tokenizer of the HTML
 * standard (13.2.5) as far as that question needs. It does not know `<!-- -->` inside a script, CDATA and
 * plaintext: they count as text.
 */

/** The position of the reader. `unknown` follows branches with different ends, and lasts until a tag ends. */
type Mode =
  | 'text'
  | 'raw'
  | 'comment'
  | 'declaration'
  | 'tagOpen'
  | 'tagName'
  | 'betweenAttributes'
  | 'attributeName'
  | 'afterAttributeName'
  | 'beforeValue'
  | 'value'
  | 'unknown';

export interface HtmlState {
  readonly mode: Mode;
  /** Name of the tag being read, or of the element that holds the raw text. An end tag has `/` in front. */
  readonly element: string;
  /** Name of the attribute that is being read. */
  readonly attribute: string;
  /** The quote that ends the value that is being read; empty if white space ends it. */
  readonly quote: '"' | "'" | '';
  /** The beginning of the value that is being read. */
  readonly value: string;
  /** The `type` of the tag, which decides whether a script is run. */
  readonly type: string;
}

export const textState: HtmlState = {
  mode: 'text',
  element: '',
  attribute: '',
  quote: '',
  value: '',
  type: '',
};

/** Elements with content that holds no tags except the end tag of the element. */
const rawElements = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

/** Characters of a value that are remembered: enough for a scheme or a media type. */
const rememberedLength = 100;

/** The state after a further piece of text. */
export function readHtml(state: HtmlState, text: string): HtmlState {
  let at = 0;
  let current = state;
  while (at < text.length) {
    const step = steps[current.mode](current, text, at);
    at = step.at;
    current = step.state;
  }
  return current;
}

/** The state after alternative pieces. Only the render knows which of them is output. */
export function joinStates(states: readonly HtmlState[]): HtmlState {
  return states.reduce(joinTwo);
}

function joinTwo(a: HtmlState, b: HtmlState): HtmlState {
  if (sameState(a, b)) return a;
  const sameTag = a.element === b.element && isInTag(a) && isInTag(b);
  if (sameTag && a.mode === 'value' && b.mode === 'value') {
    const sameValue = a.attribute === b.attribute && a.quote === b.quote;
    // The shorter beginning leaves more possible values.
    if (sameValue) return a.value.length < b.value.length ? a : b;
  }
  if (sameTag && isBetweenValues(a) && isBetweenValues(b)) {
    return { ...textState, mode: 'betweenAttributes', element: a.element, type: a.type || b.type };
  }
  return { ...textState, mode: 'unknown' };
}

function sameState(a: HtmlState, b: HtmlState): boolean {
  return (
    a.mode === b.mode &&
    a.element === b.element &&
    a.attribute === b.attribute &&
    a.quote === b.quote &&
    a.value === b.value &&
    a.type === b.type
  );
}

const tagModes: ReadonlySet<Mode> = new Set<Mode>([
  'tagName',
  'betweenAttributes',
  'attributeName',
  'afterAttributeName',
  'beforeValue',
  'value',
]);

function isInTag({ mode }: HtmlState): boolean {
  return tagModes.has(mode);
}

/** Whether another attribute may begin here, perhaps after a space. */
function isBetweenValues({ mode, quote }: HtmlState): boolean {
  return mode === 'value' ? quote === '' : mode !== 'beforeValue';
}

// ------------------------------------------------------------------------------------------------- steps

interface Step {
  readonly state: HtmlState;
  readonly at: number;
}

/** Each step reads from `at`. It reads at least one character or changes the mode. */
const steps: Readonly<Record<Mode, (state: HtmlState, text: string, at: number) => Step>> = {
  text(_state, text, at) {
    const open = text.indexOf('<', at);
    return open < 0 ? ended(textState, text) : openTag(text, open);
  },
  raw(state, text, at) {
    const end = rawEnd(text, at, state.element);
    return end < 0 ? ended(state, text) : { state: inTag(`/${state.element}`), at: end };
  },
  comment(state, text, at) {
    const end = indexAfter(commentEnd, text, at);
    return end < 0 ? ended(state, text) : { state: textState, at: end };
  },
  declaration: untilTagEnds,
  unknown: untilTagEnds,
  tagOpen(state, text, at) {
    // Only reached if a value stands directly after the bracket, or if the piece ends there.
    return nameOrText(state.element, text, at);
  },
  tagName(state, text, at) {
    const end = indexOf(nameEnd, text, at);
    const name = state.element + text.slice(at, end).toLowerCase();
    return {
      state: { ...inTag(name), mode: end === text.length ? 'tagName' : 'betweenAttributes' },
      at: end,
    };
  },
  betweenAttributes(state, text, at) {
    const char = text[at];
    if (char === '>') return { state: afterTag(state), at: at + 1 };
    if (isSpace(char) || char === '/') return { state, at: at + 1 };
    return { state: { ...state, mode: 'attributeName', attribute: char ?? '' }, at: at + 1 };
  },
  attributeName(state, text, at) {
    const end = indexOf(attributeEnd, text, at);
    const attribute = state.attribute + text.slice(at, end).toLowerCase();
    const mode = end === text.length ? 'attributeName' : 'afterAttributeName';
    return { state: { ...state, mode, attribute: attribute.toLowerCase() }, at: end };
  },
  afterAttributeName(state, text, at) {
    const char = text[at];
    if (isSpace(char)) return { state, at: at + 1 };
    if (char === '=') return { state: { ...state, mode: 'beforeValue', value: '', quote: '' }, at: at + 1 };
    return { state: { ...state, mode: 'betweenAttributes' }, at };
  },
  beforeValue(state, text, at) {
    const char = text[at];
    if (isSpace(char)) return { state, at: at + 1 };
    if (char === '"' || char === "'") return { state: { ...state, mode: 'value', quote: char }, at: at + 1 };
    return { state: { ...state, mode: char === '>' ? 'betweenAttributes' : 'value' }, at };
  },
  value(state, text, at) {
    const end = state.quote === '' ? indexOf(unquotedEnd, text, at) : quoteEnd(state.quote, text, at);
    const value = (state.value + text.slice(at, Math.min(end, at + rememberedLength))).slice(
      0,
      rememberedLength,
    );
    if (end === text.length) return { state: { ...state, value }, at: end };
    const type = state.attribute === 'type' ? value : state.type;
    const after = { ...state, mode: 'betweenAttributes' as const, value: '', type };
    return { state: after, at: state.quote === '' ? end : end + 1 };
  },
};

function openTag(text: string, open: number): Step {
  const at = open + 1;
  if (text.startsWith('!--', at)) {
    const closed = indexAfter(emptyComment, text, at + 3);
    return closed < 0
      ? { state: { ...textState, mode: 'comment' }, at: at + 3 }
      : { state: textState, at: closed };
  }
  if (text[at] === '!' || text[at] === '?') return { state: { ...textState, mode: 'declaration' }, at };
  const isEnd = text[at] === '/';
  const nameAt = isEnd ? at + 1 : at;
  const element = isEnd ? '/' : '';
  if (nameAt >= text.length) return { state: { ...textState, mode: 'tagOpen', element }, at: text.length };
  return nameOrText(element, text, nameAt);
}

/** A bracket begins a tag only if a letter follows. `</` with anything else is skipped up to `>`. */
function nameOrText(element: string, text: string, at: number): Step {
  if (/[A-Za-z]/.test(text.charAt(at))) return { state: inTag(element), at };
  return { state: element === '' ? textState : { ...textState, mode: 'declaration' }, at };
}

function inTag(element: string): HtmlState {
  return { ...textState, mode: 'tagName', element };
}

function afterTag({ element, type }: HtmlState): HtmlState {
  return rawElements.has(element) ? { ...textState, mode: 'raw', element, type } : textState;
}

function untilTagEnds(state: HtmlState, text: string, at: number): Step {
  const end = text.indexOf('>', at);
  return end < 0 ? ended(state, text) : { state: textState, at: end + 1 };
}

function ended(state: HtmlState, text: string): Step {
  return { state, at: text.length };
}

/** The end of the name in the end tag, -1 if there is none. A character that ends names must follow. */
function rawEnd(text: string, from: number, element: string): number {
  for (let at = text.indexOf('</', from); at >= 0; at = text.indexOf('</', at + 2)) {
    const end = at + 2 + element.length;
    if (text.slice(at + 2, end).toLowerCase() === element && /[\s/>]/.test(text.charAt(end))) return end;
  }
  return -1;
}

const nameEnd = /[\s/>]/g;
const attributeEnd = /[\s/>=]/g;
const unquotedEnd = /[\s>]/g;

const commentEnd = /--!?>/g;
/** The end of the empty comments `<!-->` and `<!--->`. */
const emptyComment = /-?>/y;

/** The end of the next match, -1 if there is none. */
function indexAfter(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : -1;
}

/** The start of the next match, or the end of the text. */
function indexOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.exec(text)?.index ?? text.length;
}

function quoteEnd(quote: string, text: string, at: number): number {
  const end = text.indexOf(quote, at);
  return end < 0 ? text.length : end;
}

function isSpace(char: string | undefined): boolean {
  return char !== undefined && /\s/.test(char);
}
