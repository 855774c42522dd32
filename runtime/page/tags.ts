/**
 * Reads the tags of an HTML text. It follows the tokenisation rules of the HTML standard (comments, quoted attributes,
 * raw text, foreign content), so that markup quoted in a script or a comment does not count. It reads each character
 * at most twice: a whole document takes microseconds, a parser that builds a tree would take milliseconds.
 */
export interface HtmlTag {
  readonly name: string;
  readonly closing: boolean;
  readonly start: number;
  readonly end: number;
  /** Inside `<svg>` or `<math>`, where names mean something else. */
  readonly foreign: boolean;
  /** Read for `meta` and `link` only; the first of equal names counts. */
  readonly attributes: ReadonlyMap<string, string>;
}

const noAttributes: ReadonlyMap<string, string> = new Map();
const rawText = new Set(['style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript']);
const foreignElements = new Set(['svg', 'math']);

/** Whether the content of an element is text and not markup. */
function isRawText(name: string): boolean {
  return name === 'script' || name === 'plaintext' || rawText.has(name);
}

/** One bit for each length of the names that the reader must know, by their first letter. */
const knownLengths = new Uint32Array(26);
for (const name of [...rawText, 'script', 'plaintext', ...foreignElements, 'meta', 'link', 'html', 'head']) {
  const letter = name.charCodeAt(0) - 97;
  knownLengths[letter] = (knownLengths[letter] ?? 0) | (1 << name.length);
}

/** All start and end tags of an HTML text in order. */
export function* scanTags(html: string): Generator<HtmlTag> {
  const reader = new TagReader(html);
  while (reader.next()) {
    const { name, closing, start, end, foreign, attributes } = reader;
    yield { name, closing, start, end, foreign, attributes };
  }
}

/**
 * The tags of an HTML text one by one: its fields are those of the current tag. Makes no object for a tag, and no
 * text for its name unless somebody asks for it.
 */
export class TagReader implements HtmlTag {
  /** Where the name of the tag stands. */
  nameStart = 0;
  nameEnd = 0;
  /** The name, if it has the first letter and the length of one that matters to the head or to reading; else empty. */
  knownName = '';
  closing = false;
  start = 0;
  end = 0;
  foreign = false;
  attributes = noAttributes;
  readonly #html: string;
  #foreignDepth = 0;
  #name = '';
  /** Where the next tag may begin; -1 at the end. */
  #from: number;

  constructor(html: string) {
    this.#html = html;
    this.#from = html.indexOf('<');
  }

  get name(): string {
    if (this.#name === '') this.#name = this.#html.slice(this.nameStart, this.nameEnd).toLowerCase();
    return this.#name;
  }

  /** Whether it begins an element whose content is text and not markup. */
  get beginsRawText(): boolean {
    return !this.closing && !this.foreign && this.knownName !== '' && isRawText(this.knownName);
  }

  /** Goes to the next tag; false if there is none. */
  next(): boolean {
    const html = this.#html;
    let index = this.#from;
    while (index >= 0) {
      const next = html.charCodeAt(index + 1);
      const closing = next === 47; /* / */
      const nameStart = closing ? index + 2 : index + 1;
      if (next === 33 /* ! */ || next === 63 /* ? */) index = html.indexOf('<', endOfMarkup(html, index));
      else if (isLetter(html.charCodeAt(nameStart))) return this.#read(index, nameStart, closing);
      else index = html.indexOf('<', closing ? endOfBogusComment(html, nameStart) : index + 1);
    }
    this.#from = -1;
    return false;
  }

  /** Reads the tag at an offset. Of a tag that the text cuts off nothing is read; then there is no other. */
  #read(start: number, nameStart: number, closing: boolean): boolean {
    const html = this.#html;
    const nameEnd = endOfName(html, nameStart);
    const isKnown = this.#foreignDepth > 0 || mayBeKnown(html.charCodeAt(nameStart), nameEnd - nameStart);
    const name = isKnown ? html.slice(nameStart, nameEnd).toLowerCase() : '';
    const attributes = !closing && hasReadAttributes(name) ? new Map<string, string>() : undefined;
    const end = endOfTag(html, nameEnd, attributes);
    if (end < 0) {
      this.#from = -1;
      return false;
    }
    this.#leaveForeign(name, closing);
    this.nameStart = nameStart;
    this.nameEnd = nameEnd;
    this.knownName = name;
    this.#name = name;
    this.closing = closing;
    this.start = start;
    this.end = end;
    this.foreign = this.#foreignDepth > 0;
    this.attributes = attributes ?? noAttributes;
    this.#from = html.indexOf('<', this.#endOfContent());
    return true;
  }

  /** A tag that ends foreign content is no part of it. */
  #leaveForeign(name: string, closing: boolean): void {
    if (this.#foreignDepth === 0) return;
    if (!closing && endsForeign(name)) this.#foreignDepth = 0;
    else if (closing && foreignElements.has(name)) this.#foreignDepth -= 1;
  }

  /** The offset from which on other tags may follow. */
  #endOfContent(): number {
    const { knownName: name, closing, end } = this;
    if (closing || name === '') return end;
    if (foreignElements.has(name)) {
      if (this.#html.charCodeAt(end - 2) !== 47) this.#foreignDepth += 1;
      return end;
    }
    return this.#foreignDepth === 0 ? endOfRawText(this.#html, name, end) : end;
  }
}

function hasReadAttributes(name: string): boolean {
  return name === 'meta' || name === 'link';
}

/**
 * Offset after the `>` of a tag; -1 if the text ends before.
 *
 * @param attributes gets the attributes, if there is a map
 */
function endOfTag(html: string, nameEnd: number, attributes: Map<string, string> | undefined): number {
  if (html.charCodeAt(nameEnd) === 62) return nameEnd + 1;
  return readAttributes(html, nameEnd, attributes && keepFirst(html, attributes));
}

/** @param letter code of a letter */
function mayBeKnown(letter: number, length: number): boolean {
  return length < 32 && (((knownLengths[(letter | 32) - 97] ?? 0) >>> length) & 1) === 1;
}

/** Elements that cannot stand in foreign content: their start tags end it, as in browsers. */
const breakout = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu ' +
    'meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
);

function endsForeign(name: string): boolean {
  return breakout.has(name);
}

/** Offset after a comment, doctype or processing instruction that starts at `start`. */
function endOfMarkup(html: string, start: number): number {
  if (!html.startsWith('<!--', start)) return endOfBogusComment(html, start + 2);
  const body = start + 4;
  if (html.charCodeAt(body) === 62) return body + 1;
  if (html.startsWith('->', body)) return body + 2;
  commentEnd.lastIndex = body;
  return commentEnd.test(html) ? commentEnd.lastIndex : html.length;
}

const commentEnd = /--!?>/g;

function endOfBogusComment(html: string, from: number): number {
  const end = html.indexOf('>', from);
  return end < 0 ? html.length : end + 1;
}

function endOfName(html: string, from: number): number {
  let index = from;
  while (index < html.length && !endsName(html.charCodeAt(index))) index += 1;
  return index;
}

function endsName(code: number): boolean {
  return isSpace(code) || code === 47 || code === 62;
}

/** The attributes in a text such as `lang="en" class=x`, by name in lower case. */
export function attributesIn(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  const tag = `${text}>`;
  readAttributes(tag, 0, keepFirst(tag, attributes));
  return attributes;
}

/** Calls `note` for each attribute of a start tag, duplicates too. */
export function scanAttributes(html: string, { name, start }: HtmlTag, note: NoteAttribute): void {
  readAttributes(html, start + 1 + name.length, note);
}

/** Gets the name of an attribute in lower case, and where its value begins and ends without quotes. */
export type NoteAttribute = (name: string, start: number, end: number) => void;

function keepFirst(html: string, into: Map<string, string>): NoteAttribute {
  return (name, start, end) => {
    if (!into.has(name)) into.set(name, html.slice(start, end));
  };
}

/** Reads the attributes of a tag. Returns the offset after its `>`; -1 if the text ends before. */
function readAttributes(html: string, from: number, note: NoteAttribute | undefined): number {
  let index = skipSeparators(html, from);
  while (index < html.length && html.charCodeAt(index) !== 62) {
    const nameStart = index;
    const nameEnd = endOfAttributeName(html, nameStart);
    let valueStart = nameEnd;
    let valueEnd = nameEnd;
    index = skipSpace(html, nameEnd);
    if (html.charCodeAt(index) === 61) {
      const first = skipSpace(html, index + 1);
      const end = endOfValue(html, first);
      if (end < 0) return -1;
      const quotes = isQuote(html.charCodeAt(first)) ? 1 : 0;
      valueStart = first + quotes;
      valueEnd = end - quotes;
      index = end;
    }
    note?.(html.slice(nameStart, nameEnd).toLowerCase(), valueStart, valueEnd);
    index = skipSeparators(html, index);
  }
  return index < html.length ? index + 1 : -1;
}

/** A leading `=` belongs to the name. */
function endOfAttributeName(html: string, from: number): number {
  let index = from + 1;
  while (index < html.length && !endsName(html.charCodeAt(index)) && html.charCodeAt(index) !== 61)
    index += 1;
  return index;
}

function skipSpace(html: string, from: number): number {
  let index = from;
  while (index < html.length && isSpace(html.charCodeAt(index))) index += 1;
  return index;
}

/** White space and `/` stand between attributes. */
function skipSeparators(html: string, from: number): number {
  let index = from;
  while (index < html.length && (isSpace(html.charCodeAt(index)) || html.charCodeAt(index) === 47))
    index += 1;
  return index;
}

/** Offset after an attribute value that starts at `from`; -1 if its closing quote is missing. */
function endOfValue(html: string, from: number): number {
  const first = html.charCodeAt(from);
  if (isQuote(first)) {
    const end = html.indexOf(first === 34 ? '"' : "'", from + 1);
    return end < 0 ? -1 : end + 1;
  }
  let index = from;
  while (index < html.length && !isSpace(html.charCodeAt(index)) && html.charCodeAt(index) !== 62) index += 1;
  return index;
}

/** Offset of the end of an element's raw text; `from` if the element has ordinary content. */
function endOfRawText(html: string, name: string, from: number): number {
  if (name === 'script') return endOfScript(html, from);
  if (name === 'plaintext') return html.length;
  return rawText.has(name) ? findEndTag(html, name, from) : from;
}

/**
 * The offset of the `</script>` that ends a script. Inside `<!-- <script>` of a script, the next `</script>`
 * only ends the inner one ("script data double escaped state" of the HTML standard).
 */
function endOfScript(html: string, from: number): number {
  let inComment = false;
  let inner = false;
  scriptEvent.lastIndex = from;
  for (let event = scriptEvent.exec(html); event !== null; event = scriptEvent.exec(html)) {
    if (event[0] === '<!--') {
      inComment = true;
      scriptEvent.lastIndex = event.index + 2; // `<!-->` is a whole comment: its dashes open and close it.
    } else if (event[0] === '-->') {
      inComment = false;
      inner = false;
    } else if (!event[0].startsWith('</')) {
      inner = inComment;
    } else if (inner) {
      inner = false;
    } else {
      return event.index;
    }
  }
  return html.length;
}

const scriptEvent = /<!--|-->|<\/?script(?=[\s/>])/gi;

function findEndTag(html: string, name: string, from: number): number {
  const pattern = endTagPattern(name);
  pattern.lastIndex = from;
  const end = pattern.exec(html);
  return end === null ? html.length : end.index;
}

const endTags = new Map(
  [...rawText, 'script'].map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, 'gi')] as const),
);

function endTagPattern(name: string): RegExp {
  const pattern = endTags.get(name);
  if (pattern === undefined) throw new TypeError(`<${name}> does not hold raw text`);
  return pattern;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** White space of the HTML standard. */
function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 12 || code === 13;
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39;
}
