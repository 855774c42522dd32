/**
 * Maps that print as HTML: `{{ image(5) }}` prints an element, `{{ image(5).url }}` is a field. The HTML is made
 * when it is printed, under a symbol that neither a template nor a copy of the map sees.
 */
const html = Symbol('html');

interface Printed {
  readonly [html]?: () => string;
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
