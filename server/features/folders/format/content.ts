/** A website as a folder: what a folder holds, without IDs, and what is wrong with it. */

/** The format that this program reads and writes. */
export const folderFormat = 1;

/**
 * Kinds of objects in a folder. A website is the page with the path `/`. They are named here because the program reads
 * folders without a server; a test compares them with what the server declares.
 */
export const folderKinds = [
  ...(['page', 'snippet', 'asset', 'global_block', 'collection', 'item', 'workflow', 'flow_node'] as const),
  ...(['pen', 'source', 'redirect', 'file'] as const),
] as const;
export type FolderKind = (typeof folderKinds)[number];

/** What is wrong at a place of a file. Lines and columns count from 1; columns in UTF-16 units. */
export interface FolderFinding {
  /** Path below the folder, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** A folder with errors cannot be sent. */
  readonly level: 'error' | 'warning';
  /** Such as `folder.unknownKey`. */
  readonly code: string;
  readonly message: string;
}

/** Where a text field begins in its file, for findings about it. */
export interface TextPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type FolderFields = Readonly<Record<string, unknown>>;

/** An object as a folder has it. Its references are names, slugs, paths and files, never IDs. */
export interface FolderObject {
  readonly kind: FolderKind;
  /** Its identity in the folder: its first file, such as `pages/about/index.html`; a redirect is `redirects.csv#/old`. */
  readonly key: string;
  /** All fields of the format by their names in the API; those that the files leave out have their defaults. */
  readonly fields: FolderFields;
  /** All files that it consists of. */
  readonly files: readonly string[];
  /** Text fields by name, such as `html` or `content`. */
  readonly places: Readonly<Record<string, TextPlace>>;
}

export interface FolderContent {
  readonly format: typeof folderFormat;
  /** By key, in the order of keys. */
  readonly objects: ReadonlyMap<string, FolderObject>;
}

export interface ReadFolder {
  readonly content: FolderContent;
  readonly findings: readonly FolderFinding[];
  /** All text files of the format as they were read, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Compares two keys or names, the same on every machine. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Compares names of which one may be another one with a number: `a`, `a-2`, `a-10`. */
export function compareNumbered(left: string, right: string): number {
  const split = (name: string) => {
    const [, stem = '', number = '1'] = /^(.*?)(?:-(\d+))?(?:\.[^./]*)?$/s.exec(name) ?? [];
    return { stem, number: Number(number) };
  };
  const [a, b] = [split(left), split(right)];
  return compareText(a.stem, b.stem) || a.number - b.number || compareText(left, right);
}
