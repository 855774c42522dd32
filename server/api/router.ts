import type { Route } from './route.ts';

/** A path of the route table with its entries by method. */
export interface RouteMatch<Entry> {
  readonly methods: ReadonlyMap<string, Entry>;
  /** Values of the `{name}` placeholders, percent-decoded once. */
  readonly params: ReadonlyMap<string, string>;
}

interface Node<Entry> {
  readonly children: Map<string, Node<Entry>>;
  placeholder: { readonly name: string; readonly node: Node<Entry> } | undefined;
  readonly methods: Map<string, Entry>;
  /** What takes all that follows; see `Route.takesRest`. */
  rest: { readonly name: string; readonly methods: Map<string, Entry> } | undefined;
}

/**
 * A tree of path segments. A literal segment wins over a placeholder. Two routes of the same method and path,
 * or placeholders of different names in one place, are a defect of the table and throw at start.
 */
export class Router<Entry extends { readonly route: Route }> {
  readonly #root = createNode<Entry>();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) insert(this.#root, entry);
  }

  /**
   * The entries of a raw path below the prefix, or undefined. Matching is exact: `/x/`, `//x` and `/X` are
   * not `/x`.
   */
  match(path: string): RouteMatch<Entry> | undefined {
    const params = new Map<string, string>();
    let node = this.#root;
    const segments = path.split('/').slice(1);
    for (let index = 0; index < segments.length; index += 1) {
      const segment = segments[index] ?? '';
      if (node.rest !== undefined) {
        params.set(node.rest.name, segments.slice(index).join('/'));
        return { methods: node.rest.methods, params };
      }
      const child = node.children.get(segment);
      if (child !== undefined) {
        node = child;
      } else {
        const value = decodeSegment(segment);
        if (node.placeholder === undefined || value === undefined) return undefined;
        params.set(node.placeholder.name, value);
        node = node.placeholder.node;
      }
    }
    return node.methods.size === 0 ? undefined : { methods: node.methods, params };
  }
}

/** The value of the `Allow` header: the methods of the path. */
export function allowedMethods(methods: ReadonlyMap<string, unknown>): string {
  const names = [...methods.keys()];
  return (names.includes('GET') ? [...names, 'HEAD'] : names).sort().join(', ');
}

function insert<Entry extends { readonly route: Route }>(root: Node<Entry>, entry: Entry): void {
  const { method, path, takesRest = false } = entry.route;
  let node = root;
  const segments = path.split('/').slice(1);
  const last = takesRest ? segments.pop() : undefined;
  for (const segment of segments) node = descend(node, segment, path);
  if (last !== undefined) {
    node.rest ??= { name: last.slice(1, -1), methods: new Map() };
    node.rest.methods.set(method, entry);
    return;
  }
  if (node.methods.has(method)) throw new Error(`two routes for ${method} ${path}`);
  node.methods.set(method, entry);
}

function descend<Entry>(node: Node<Entry>, segment: string, path: string): Node<Entry> {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (name === undefined) {
    const child = node.children.get(segment) ?? createNode<Entry>();
    node.children.set(segment, child);
    return child;
  }
  node.placeholder ??= { name, node: createNode<Entry>() };
  if (node.placeholder.name !== name)
    throw new Error(`${path}: another route calls this segment {${node.placeholder.name}}`);
  return node.placeholder.node;
}

function createNode<Entry>(): Node<Entry> {
  return { children: new Map(), placeholder: undefined, methods: new Map(), rest: undefined };
}

function decodeSegment(segment: string): string | undefined {
  try {
    return segment === '' ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
