import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentReader, PageRecord } from '../content/reader.ts';
import { openSqliteContent } from '../content/sqlite.ts';
import { type Arguments, UsageError } from './arguments.ts';

export interface Text {
  readonly name: string;
  readonly source: string;
  /** Whether other templates can refer to it by its name. */
  readonly named: boolean;
}

/** The template to explain, and what is around it. */
export interface Subject {
  readonly text: Text;
  /** The other templates of a page, of which only what is wrong is told. */
  readonly further: readonly Text[];
  /** The source of a snippet. */
  load(name: string): string | undefined;
  /** Absent without a data directory, because then nothing is known about assets. */
  hasAsset?(id: number): boolean;
}

/** @throws UsageError if the template or a folder does not exist */
export function findSubject({ input, data, snippets }: Arguments): Subject {
  const reader = openContent(data);
  const folder = snippets ?? '.';
  if (!isFolder(folder)) throw new UsageError(`there is no folder ${folder}`);
  const load = (name: string) => reader?.snippet(name)?.content ?? readFile(join(folder, `${name}.html`));
  const around =
    reader === undefined ? { load } : { load, hasAsset: (id: number) => reader.asset(id) !== undefined };
  const page = input.startsWith('/') ? findPage(reader, input) : undefined;
  if (page !== undefined) return { ...textsOfPage(page), ...around };
  const snippet = load(input);
  const text =
    snippet === undefined
      ? { name: 'template', source: readFile(input) ?? textOf(input, reader), named: false }
      : { name: input, source: snippet, named: true };
  return { text, further: [], ...around };
}

const defaultData = './data';

/** @throws UsageError if the directory was named and has no content */
function openContent(data: string | undefined): ContentReader | undefined {
  const database = join(data ?? defaultData, 'content.db');
  if (existsSync(database)) return openSqliteContent(database);
  if (data === undefined) return undefined;
  throw new UsageError(
    isFolder(data) ? `the folder ${data} holds no content.db` : `there is no data directory ${data}`,
  );
}

/**
 * The input as text. What looks like a name is none: the template of somebody who mistypes a name would
 * otherwise be that name.
 *
 * @throws UsageError
 */
function textOf(input: string, reader: ContentReader | undefined): string {
  if (isFolder(input)) throw new UsageError(`${input} is a folder, not a template`);
  if (/[{<\s]/.test(input)) return input;
  const kind = input.startsWith('/') ? 'page or file' : 'snippet or file';
  const hint =
    reader === undefined ? ` (there is no data directory ${defaultData}; name one with -data)` : '';
  throw new UsageError(`there is no ${kind} ${input}${hint}`);
}

function findPage(reader: ContentReader | undefined, path: string): PageRecord | undefined {
  const [site] = reader?.sites() ?? [];
  return site && reader?.pageByPath(site.id, path);
}

/** The fields of a page that are templates besides `html`. */
const furtherFields = ['head', 'meta_title', 'description'] as const;

function textsOfPage(page: PageRecord): Pick<Subject, 'text' | 'further'> {
  return {
    text: { name: page.path, source: page.html, named: false },
    further: furtherFields.map((field) => ({
      name: `${page.path} (${field})`,
      source: page[field],
      named: false,
    })),
  };
}

function readFile(path: string): string | undefined {
  return existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
