import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** A source file and the files of the project that it imports, also for types. Paths start at the root of the project. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** The source files below the given folders, without generated ones. */
export function sourceFiles(...folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/(^|\/)(generated|node_modules)\//.test(path))
      .map((path) => readSource(join(root, folder, path))),
  );
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8');
  const imports = [
    ...text.matchAll(/\bfrom '(\.{1,2}\/[^']+)'|\bimport\('(\.{1,2}\/[^']+)'\)|^import '(\.[^']+)'/gm),
  ];
  return {
    path: relative(root, path),
    text,
    imports: imports.map(([, from, dynamic, bare]) =>
      relative(root, join(dirname(path), from ?? dynamic ?? bare ?? '')),
    ),
  };
}

/**
 * Groups of nodes that can all be reached from each other.
 *
 * @param edges the direct targets of each node
 */
export function circlesIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...edges.keys()].map((node) => [node, reachedFrom(node, edges)]));
  const circles = new Map<string, string[]>();
  for (const [node, others] of reached) {
    if (!others.has(node)) continue;
    const members = [...others].filter((other) => reached.get(other)?.has(node)).sort();
    circles.set(members.join(' '), members);
  }
  return [...circles.values()];
}

function reachedFrom(start: string, edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set(edges.get(start));
  // The loop also visits members that are added to the set during the loop.
  for (const node of reached) for (const next of edges.get(node) ?? []) reached.add(next);
  return reached;
}

/** Edges between groups of files, such as folders; edges within a group are left out. */
export function edgesBetween(
  files: readonly SourceFile[],
  groupOf: (path: string) => string | undefined,
): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const from = groupOf(path);
    if (from === undefined) continue;
    const targets = edges.get(from) ?? new Set();
    edges.set(from, targets);
    for (const target of imports) {
      const to = groupOf(target);
      if (to !== undefined && to !== from) targets.add(to);
    }
  }
  return edges;
}
