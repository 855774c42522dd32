/**
 * The kind of a value, as far as the text of a template shows it: an entry of a certain collection, a page,
 * an address that cannot be a script. A name has the kind of the value bound to it. A name assigned inside a
 * tag such as `if` has no certain kind after the tag.
 */
import type { Call, Expression, Filter, Member, Node } from '../../grammar/ast.ts';
import type { CompilerOptions } from '../options.ts';
import { assignedNames } from '../scope.ts';
import type { LinkOf } from './content-lookup.ts';

export type ValueKind =
  /** Text of the template itself, or a number. People who edit the data cannot choose it. */
  | { readonly of: 'constant' }
  /** HTML made by the template's own code, or declared safe by its author. */
  | { readonly of: 'html' }
  /** An address of our own, or a text that cannot lead to another host when it begins an address. */
  | { readonly of: 'address' }
  /** An address that runs no script when it is followed, but may lead anywhere. */
  | { readonly of: 'link' }
  | { readonly of: 'page' | 'site' | 'file' | 'route' }
  /** An entry of `nav()` or `children()`, and a list of them. */
  | { readonly of: 'navPage' | 'navPages' }
  /** `forloop` and `forloop.parentloop`. */
  | { readonly of: 'loop' }
  /** Entries of a collection or a source. `slug` is undefined if it is computed. */
  | { readonly of: 'entry' | 'entries'; readonly slug: string | undefined }
  /** Chosen by the visitor. */
  | { readonly of: 'request' };

/** The kinds of the names in scope. Each body has its own `KindScope`; its nodes bind names as they are read. */
export class KindScope {
  readonly #outer: KindScope | undefined;
  readonly #kinds = new Map<string, ValueKind | undefined>();

  constructor(outer?: KindScope) {
    this.#outer = outer;
  }

  /** The kind of a name; undefined if it may be anything. */
  get(name: string): ValueKind | undefined {
    return this.#kinds.has(name) ? this.#kinds.get(name) : this.#outer?.get(name);
  }

  bind(name: string, kind: ValueKind | undefined): void {
    this.#kinds.set(name, kind);
  }
}

/** The filters and functions of the engine. A called function that is not among them is a macro. */
export type Signatures = Pick<CompilerOptions, 'filters' | 'functions'> & {
  /** Where references lead. Absent: nothing is known of them. */
  readonly linkOf?: LinkOf | undefined;
};

const constant: ValueKind = { of: 'constant' };
const html: ValueKind = { of: 'html' };
const address: ValueKind = { of: 'address' };
const link: ValueKind = { of: 'link' };
const page: ValueKind = { of: 'page' };
const navPage: ValueKind = { of: 'navPage' };
const navPages: ValueKind = { of: 'navPages' };
const loop: ValueKind = { of: 'loop' };
const file: ValueKind = { of: 'file' };
const request: ValueKind = { of: 'request' };

/** The names that every template knows at its beginning. */
export function createRootKindScope(): KindScope {
  const known = new KindScope();
  known.bind('page', page);
  known.bind('site', { of: 'site' });
  known.bind('route', { of: 'route' });
  // `forloop` of a loop in a template that includes this one.
  known.bind('forloop', loop);
  return known;
}

export function inferKind(
  expression: Expression,
  known: KindScope,
  signatures: Signatures,
): ValueKind | undefined {
  const kind = (operand: Expression) => inferKind(operand, known, signatures);
  switch (expression.type) {
    case 'Literal':
      return constant;
    case 'Name':
      return known.get(expression.name);
    case 'Member':
      return kindOfMember(expression, kind(expression.object), signatures);
    case 'Index': {
      const list = kind(expression.object);
      return list && entryOf(list);
    }
    case 'Call':
      return kindOfCall(expression, signatures);
    case 'Filter':
      return kindOfFilter(expression, kind, signatures);
    case 'List':
      return expression.items.map(kind).reduce(common, constant);
    case 'Map':
      return expression.entries.map((entry) => kind(entry.value)).reduce(common, constant);
    case 'Unary':
      return constant;
    case 'Binary':
      return kindOfBinary(expression, kind);
    case 'Logical':
      return common(kind(expression.left), kind(expression.right));
    case 'Conditional':
      return common(kind(expression.then), kind(expression.otherwise));
    default:
      return undefined;
  }
}

/** The names known at the beginning of the bodies of a node. */
export function createBodyKindScope(node: Node, outer: KindScope, signatures: Signatures): KindScope {
  const known = node.type === 'Macro' ? createRootKindScope() : new KindScope(outer);
  if (node.type === 'For') {
    const list = inferKind(node.iterable, outer, signatures);
    const entry = node.targets.length === 1 ? list && entryOf(list) : undefined;
    for (const target of node.targets) known.bind(target, entry);
    known.bind('forloop', loop);
  } else if (node.type === 'With') {
    for (const { name, value } of node.bindings) known.bind(name, inferKind(value, outer, signatures));
  } else if (node.type === 'Macro') {
    for (const { name } of node.params) known.bind(name, undefined);
  }
  return known;
}

/** Binds the names that a node assigns, for the nodes after it. */
export function bindAssigned(node: Node, known: KindScope, signatures: Signatures): void {
  const kind = node.type === 'Set' ? inferKind(node.value, known, signatures) : undefined;
  for (const name of assignedNames([node])) known.bind(name, kind);
}

/** The kind of one entry of a list. */
function entryOf(list: ValueKind): ValueKind | undefined {
  if (list.of === 'navPages') return navPage;
  if (list.of === 'entries') return { of: 'entry', slug: list.slug };
  return list.of === 'request' || list.of === 'constant' ? list : undefined;
}

function common(a: ValueKind | undefined, b: ValueKind | undefined): ValueKind | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (a.of === b.of && slugOf(a) === slugOf(b)) return a;
  const rank = Math.max(harmless.indexOf(a.of), harmless.indexOf(b.of));
  if (!harmless.includes(a.of) || !harmless.includes(b.of)) return undefined;
  return harmless.indexOf(a.of) === rank ? a : b;
}

/** From strict to loose: each kind also has the properties of the kinds after it. */
const harmless: readonly ValueKind['of'][] = ['constant', 'address', 'link'];

function slugOf(kind: ValueKind): string | undefined {
  return 'slug' in kind ? kind.slug : undefined;
}

// ------------------------------------------------------------------------------------------- expressions

/** Keys under which our own objects keep addresses. An unknown object is treated as one of them. */
const addressKeys = new Set(['url', 'path', '_url']);

function kindOfMember(
  { object, key }: Member,
  owner: ValueKind | undefined,
  { linkOf }: Signatures,
): ValueKind | undefined {
  if (object.type === 'Name' && object.name === 'block' && key === 'super') return html;
  switch (owner?.of) {
    case 'constant':
      return constant;
    case 'route':
      return key === 'path' ? address : request;
    case 'request':
      return request;
    case 'entry':
      if (key === '_url') return address;
      return key === 'id' ? constant : linkedKind(owner.slug, key, linkOf);
    case 'page':
      if (key === 'parent') return page;
      return key === 'translations' ? navPages : idOrAddress(key);
    case 'navPage':
      return key === 'children' ? navPages : idOrAddress(key);
    case 'loop':
      return key === 'parentloop' ? loop : constant;
    case 'site':
    case 'file':
      return idOrAddress(key);
    default:
      return addressOrNothing(key);
  }
}

function linkedKind(
  slug: string | undefined,
  key: string,
  linkOf: LinkOf | undefined,
): ValueKind | undefined {
  const link = slug === undefined ? undefined : linkOf?.(slug, key);
  return link && { of: link.isList ? 'entries' : 'entry', slug: link.slug };
}

function idOrAddress(key: string): ValueKind | undefined {
  return key === 'id' ? constant : addressOrNothing(key);
}

function addressOrNothing(key: string): ValueKind | undefined {
  return addressKeys.has(key) ? address : undefined;
}

const functionKinds = new Map<string, ValueKind>([
  ['nav', navPages],
  ['children', navPages],
  ['file', file],
  ['image', file],
  ['asset_url', address],
  ['block_field', { of: 'html' }],
]);

function kindOfCall({ callee, args }: Call, { functions }: Signatures): ValueKind | undefined {
  if (callee.type !== 'Name') return undefined;
  const { name } = callee;
  if (name !== 'data' && name !== 'item')
    return functionKinds.get(name) ?? (functions.has(name) ? undefined : html);
  const [first] = args;
  const slug = first?.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined;
  return { of: name === 'data' ? 'entries' : 'entry', slug };
}

type KindOfOperand = (operand: Expression) => ValueKind | undefined;

const entryFilters = new Set(['first', 'last', 'random']);
const listFilters = new Set(['slice', 'dictsort', 'dictsortreversed', 'where']);

/** Filters whose result is one of their arguments or their input. */
const choosingFilters = new Set(['default', 'default_if_none', 'yesno', 'pluralize']);

/** Filters that return a number, or their argument if the input is no number. */
const numberFilters = new Set(['integer', 'float']);

/** Filters whose result is safe to begin an address with. */
const addressFilters = new Map<string, ValueKind>([
  ['slugify', address],
  ['urlencode', link],
  ['clean_url', link],
]);

function kindOfFilter(filter: Filter, kind: KindOfOperand, { filters }: Signatures): ValueKind | undefined {
  const { name, input, args } = filter;
  const returns = filters.get(name)?.returns;
  if (returns === 'number' || returns === 'boolean') return constant;
  if (name === 'safe' || name === 'json_script') return html;
  if (entryFilters.has(name)) {
    const list = kind(input);
    return list && entryOf(list);
  }
  if (listFilters.has(name)) return kind(input);
  if (choosingFilters.has(name)) {
    const chosen = name.startsWith('default') ? [input, ...args] : args;
    return chosen.map(kind).reduce(common, constant);
  }
  if (numberFilters.has(name)) return args.map(kind).reduce(common, constant);
  return args.length === 0 ? addressFilters.get(name) : undefined;
}

const joining = new Set(['+', '~']);

/** A joined text has the kind that both sides share. All other operators return a number or a truth value. */
function kindOfBinary(
  { operator, left, right }: Expression & { type: 'Binary' },
  kind: KindOfOperand,
): ValueKind | undefined {
  if (!joining.has(operator)) return constant;
  return common(kind(left), kind(right));
}
