import type { Route } from './route.ts';

/** A path of the table with the routes of its methods. */
export interface RouteMatch<Entry> {
  readonly methods: ReadonlyMap<string, Entry>;
  /** Values of the `{name}` placeholders, percent-decoded once. */
  readonly params: ReadonlyMap<string, string>;
}

export interface Router<Entry> {
  /** The entries of a raw path below the prefix, or nothing: matching is exact, `/x/`, `//x` and `/X` are not `/x`. */
  match(path: string): RouteMatch<Entry> | undefined;
}

interface Node<Entry> {
  readonly children: Map<string, Node<Entry>>;
  placeholder: { readonly name: string; readonly node: Node<Entry> } | undefined;
  readonly methods: Map<string, Entry>;
}

/**
 * A tree of path segments. A literal segment goes before a placeholder. Two routes of the same method and path,
 * or placeholders of different names in one place, are an error of the table and throw at start.
 */
export function createRouter<Entry extends { readonly route: Route }>(
  entries: readonly Entry[],
): Router<Entry> {
  const root = createNode<Entry>();
  for (const entry of entries) insert(root, entry);
  return {
    match(path) {
      const params = new Map<string, string>();
      let node: Node<Entry> = root;
      for (const segment of path.split('/').slice(1)) {
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
    },
  };
}

/** The value of the `Allow` header: what the path answers to. */
export function allowedMethods(methods: ReadonlyMap<string, unknown>): string {
  const names = [...methods.keys()];
  return (names.includes('GET') ? [...names, 'HEAD'] : names).sort().join(', ');
}

function insert<Entry extends { readonly route: Route }>(root: Node<Entry>, entry: Entry): void {
  const { method, path } = entry.route;
  let node = root;
  for (const segment of path.split('/').slice(1)) node = descend(node, segment, path);
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
  return { children: new Map(), placeholder: undefined, methods: new Map() };
}

function decodeSegment(segment: string): string | undefined {
  try {
    return segment === '' ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
