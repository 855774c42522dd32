import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** A source file or style sheet. Paths start at the root of the project. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** The files of the project that it imports, also for types or later. */
  readonly imports: readonly string[];
  /** Those of them that load with it: neither types alone nor `import()`. */
  readonly loads: readonly string[];
}

/** The source files below the given folders, without generated ones. */
export function sourceFiles(...folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:tsx?|css)$/.test(path) && !/(^|\/)(generated|node_modules)\//.test(path))
      .map((path) => readSource(join(root, folder, path))),
  );
}

function readSource(path: string): SourceFile {
  return parseSource(relative(root, path), readFileSync(path, 'utf8'));
}

/** Finds the imports in a text that stands at a path. */
export function parseSource(path: string, text: string): SourceFile {
  const targets = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map((match) => join(dirname(path), match.slice(1).find(Boolean) ?? ''));
  return {
    path,
    text,
    imports: targets(/\bfrom ["'](\.{1,2}\/[^"']+)["']|\bimport\('(\.{1,2}\/[^']+)'\)|^import '(\.[^']+)'/gm),
    loads: targets(
      /^(?:import|export)(?! type\b)(?: [^'";]*? from)? '(\.[^']+)'|composes: [^"]+ from "(\.[^"]+)"/gm,
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

/** All folders that contain the files, at any depth. */
export function foldersOf(files: readonly SourceFile[]): string[] {
  const folders = files.flatMap(({ path }) => {
    const segments = path.split('/').slice(0, -1);
    return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
  });
  return [...new Set(folders)];
}

/** All files that load with the given ones, with those that lead to them. */
export function loadedWith(starts: readonly string[], files: readonly SourceFile[]): Map<string, string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const loaders = new Map(starts.map((start) => [start, '']));
  // The loop also visits entries that are added to the map during the loop.
  for (const [path] of loaders)
    for (const next of byPath.get(path)?.loads ?? []) if (!loaders.has(next)) loaders.set(next, path);
  return loaders;
}
