/** Places where HTML escaping is not enough, and the values that are harmless at these places. */
import type { Expression } from '../../grammar/ast.ts';
import type { HtmlState } from './html.ts';
import { inferKind, type KindScope, type Signatures } from './kinds.ts';

/** A place where HTML escaping does not make a value harmless. */
export interface UnsafePlace {
  readonly place: 'script' | 'handler' | 'document' | 'address' | 'scriptAddress' | 'tag' | 'unquoted';
  /** Name of the attribute; in a script, or directly in a tag, name of the element. */
  readonly name: string;
}

/** Attributes with an address that a browser follows or loads, and the elements that have them. */
const addressAttributes = new Map([
  ['href', new Set(['a', 'area', 'base'])],
  ['xlink:href', new Set(['a'])],
  ['src', new Set(['iframe', 'frame', 'embed', 'script'])],
  ['data', new Set(['object'])],
  ['action', new Set(['form'])],
  ['formaction', new Set(['button', 'input'])],
]);

/** Types of scripts that a browser runs or reads as data. With any other type the content is text. */
const scriptTypes = /^\s*$|module|javascript|ecmascript|jscript|json|importmap|speculationrules/i;

/** The place of a value; undefined where HTML escaping is enough. */
export function findUnsafePlace({
  mode,
  element,
  attribute,
  quote,
  value,
  type,
}: HtmlState): UnsafePlace | undefined {
  switch (mode) {
    case 'raw':
      return element === 'script' && scriptTypes.test(type) ? { place: 'script', name: element } : undefined;
    case 'tagOpen':
    case 'tagName':
    case 'betweenAttributes':
    case 'attributeName':
    case 'afterAttributeName':
      return element.startsWith('/') ? undefined : { place: 'tag', name: element };
    case 'beforeValue':
      return { place: 'unquoted', name: attribute };
    case 'value':
      return quote === '' ? { place: 'unquoted', name: attribute } : placeInValue(element, attribute, value);
    default:
      return undefined;
  }
}

function placeInValue(element: string, attribute: string, value: string): UnsafePlace | undefined {
  if (/^on[a-z]/.test(attribute)) return { place: 'handler', name: attribute };
  if (attribute === 'srcdoc') return { place: 'document', name: attribute };
  if (addressAttributes.get(attribute)?.has(element) !== true) return undefined;
  if (/^\s*javascript:/i.test(value)) return { place: 'handler', name: attribute };
  if (element === 'script')
    return leavesHostOpen(value) ? { place: 'scriptAddress', name: attribute } : undefined;
  return leavesSchemeOpen(value) ? { place: 'address', name: attribute } : undefined;
}

/** Whether the text after `beginning` may complete an address that runs a script. */
function leavesSchemeOpen(beginning: string): boolean {
  const start = beginning.replace(/[\s\p{Cc}]/gu, '').toLowerCase();
  return ['javascript:', 'vbscript:', 'data:'].some((scheme) => scheme.startsWith(start));
}

/** Whether the text after `beginning` may choose the host that a script is loaded from. */
function leavesHostOpen(beginning: string): boolean {
  return leavesSchemeOpen(beginning) || /^\s*(\/|(https?:)?\/\/[^/]*)$/i.test(beginning);
}

// ---------------------------------------------------------------------------------------------- remedies

/** Filters that make a value harmless at a place if they come last. */
const remedies: Readonly<Record<UnsafePlace['place'], readonly string[]>> = {
  script: ['escapejs'],
  handler: ['escapejs', 'json'],
  document: [],
  address: [],
  scriptAddress: [],
  tag: ['slugify'],
  unquoted: ['slugify'],
};

/** Whether a value is harmless at a place. `beginning` is the text before the value in the same attribute. */
export function isSafeAt(
  { place }: UnsafePlace,
  expression: Expression,
  known: KindScope,
  signatures: Signatures,
  beginning: string,
): boolean {
  const kind = inferKind(expression, known, signatures);
  if (kind?.of === 'constant' || kind?.of === 'html') return true;
  if (expression.type === 'Filter' && remedies[place].includes(expression.name)) return true;
  if (place === 'document') return isEscapedTwice(expression);
  if (place !== 'address' && place !== 'scriptAddress') return false;
  const first = leftmost(expression);
  if (first.type === 'Literal' && typeof first.value === 'string') {
    const start = beginning + first.value;
    return place === 'address' ? !leavesSchemeOpen(start) : !leavesHostOpen(start);
  }
  const { of } = inferKind(first, known, signatures) ?? {};
  return of === 'address' || (of === 'link' && place === 'address');
}

/** The expression that a joined text begins with. */
function leftmost(expression: Expression): Expression {
  if (expression.type === 'Binary' && (expression.operator === '~' || expression.operator === '+')) {
    return leftmost(expression.left);
  }
  return expression.type === 'Filter' && expression.name === 'add' ? leftmost(expression.input) : expression;
}

function isEscapedTwice(expression: Expression): boolean {
  return (
    expression.type === 'Filter' &&
    expression.name === 'force_escape' &&
    expression.input.type === 'Filter' &&
    ['force_escape', 'escape'].includes(expression.input.name)
  );
}
