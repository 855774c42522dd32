import type { ContentDb } from '../db/tables.ts';
import { compareIgnoringCase } from '../text.ts';
import type { TextAnalysis } from '../texts.ts';
import type { BlockType, PageLayoutEntry, StoredSnippet } from './model.ts';
import { asBlockSchema } from './schema.ts';
import * as store from './store.ts';
import { textOf } from './text.ts';

/** Block types and page layouts, which snippets offer to editors. */

/** GET /blocks/types: the snippets whose schema has `block` set, sorted by name. */
export async function listBlockTypes(db: ContentDb): Promise<BlockType[]> {
  const snippets = await store.snippets.list(db);
  return snippets
    .sort((left, right) => compareIgnoringCase(left.name, right.name))
    .flatMap((snippet) => blockTypeOf(snippet) ?? []);
}

/** GET /page-layouts: the snippets with a page layout, sorted by label. */
export async function listPageLayouts(db: ContentDb, analysis: TextAnalysis): Promise<PageLayoutEntry[]> {
  const snippets = await store.snippets.list(db);
  const layouts = await Promise.all(snippets.map((snippet) => layoutOf(snippet, analysis)));
  return layouts
    .flat()
    .sort(
      (left, right) =>
        compareIgnoringCase(left.label, right.label) || compareIgnoringCase(left.name, right.name),
    );
}

/** The HTML of a new page with a layout. */
export function layoutHtml(name: string): string {
  return `{% extends "${name}" %}`;
}

async function layoutOf(snippet: StoredSnippet, analysis: TextAnalysis): Promise<PageLayoutEntry[]> {
  const { id, name, page_layout: layout } = snippet;
  if (layout === null) return [];
  const { rendersBlocks } = await analysis.report(textOf(snippet));
  return [
    {
      id,
      name,
      label: layout.label || name,
      description: layout.description || snippet.description,
      default: layout.default,
      has_blocks: rendersBlocks,
      html: layoutHtml(name),
    },
  ];
}

function blockTypeOf(snippet: StoredSnippet): BlockType | undefined {
  if (snippet.schema === null) return undefined;
  const schema = asBlockSchema(snippet.schema);
  if (schema.block !== true) return undefined;
  return {
    name: snippet.name,
    label: schema.label || snippet.name,
    description: schema.description || snippet.description,
    icon: schema.icon ?? '',
    category: schema.category ?? '',
    params: (schema.params ?? []).map(({ name = '', label, type = '', options, ...param }) => ({
      name,
      label: label || name,
      type,
      required: param.required ?? false,
      options: options ?? [],
      collection: param.collection ?? null,
      default: param.default ?? null,
      design: param.design ?? false,
    })),
    slots: (schema.slots ?? []).map(({ name = '', label, allow, max }) => ({
      name,
      label: label || name,
      allow: allow ?? [],
      max: max ?? 0,
    })),
  };
}
