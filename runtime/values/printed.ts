/**
 * Maps that print as HTML or text: `{{ image(5) }}` prints an element, `{{ image(5).url }}` is a field. What they print
 * is made when it is printed, under a symbol that neither a template nor a copy of the map sees.
 */
const html = Symbol('html');
const text = Symbol('text');

interface Printed {
  readonly [html]?: () => string;
  readonly [text]?: () => string;
}

/** Lets a map print as the HTML that `make` returns. */
export function printAs<Fields extends object>(map: Fields, make: () => string): Fields {
  return Object.defineProperty(map, html, { value: make });
}

/** The HTML that a value prints as; undefined for all other values. */
export function printedHtml(value: object): string | undefined {
  const made: Printed = value;
  return made[html]?.();
}

/** Lets a map print as the text that `make` returns, which is escaped like any other; it is true if there is one. */
export function printAsText<Fields extends object>(map: Fields, make: () => string): Fields {
  return Object.defineProperty(map, text, { value: make });
}

/** The text that a value prints as; undefined for all other values. */
export function printedText(value: object): string | undefined {
  const made: Printed = value;
  return made[text]?.();
}
