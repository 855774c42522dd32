/** What tags, filters, functions and variables do, in the words of the editor of the admin. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type WordKind = 'tags' | 'filters' | 'functions' | 'variables';
type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

const folder = join(import.meta.dirname, '..', '..', '..', 'admin', 'src', 'editors', 'code', 'words');
const known = new Map<string, Words>();

function readWords(name: 'en' | 'forms'): Words {
  // Type boundary: files of this package, which a test of the admin compares.
  const words = known.get(name) ?? (JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Words);
  known.set(name, words);
  return words;
}

export function listWords(kind: WordKind): readonly string[] {
  return Object.keys(readWords('forms')[kind] ?? {});
}

/** Markdown; undefined for a name that templates give themselves. */
export function explainWord(kind: WordKind, name: string): string | undefined {
  const text = readWords('en')[kind]?.[name];
  if (text === undefined) return undefined;
  const form = readWords('forms')[kind]?.[name] ?? name;
  const code = kind === 'tags' ? `{% ${form} %}` : kind === 'filters' ? `{{ value|${form} }}` : form;
  return `\`\`\`django\n${code}\n\`\`\`\n${text}`;
}
