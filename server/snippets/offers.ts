import type { ContentDb } from '../db/tables.ts';
import type { TemplateAnalysis } from '../templates.ts';
import { compareText } from '../text.ts';
import type { BlockType, PageLayoutEntry, StoredSnippet } from './model.ts';
import { asBlockSchema } from './schema.ts';
import { listSnippets } from './store.ts';

/** What snippets offer to editors besides being included: block types and page layouts. */

/** GET /blocks/types: snippets whose schema says so, by name. */
export async function listBlockTypes(db: ContentDb): Promise<BlockType[]> {
  const snippets = await listSnippets(db);
  return snippets
    .sort((left, right) => compareText(left.name, right.name))
    .flatMap((snippet) => blockTypeOf(snippet) ?? []);
}

/** GET /page-layouts: snippets with a page layout, by label. */
export async function listPageLayouts(db: ContentDb, analysis: TemplateAnalysis): Promise<PageLayoutEntry[]> {
  const snippets = await listSnippets(db);
  const layouts = await Promise.all(snippets.map((snippet) => layoutOf(snippet, analysis)));
  return layouts
    .flat()
    .sort((left, right) => compareText(left.label, right.label) || compareText(left.name, right.name));
}

/** The HTML of a new page with a layout. */
export function layoutHtml(name: string): string {
  return `{% extends "${name}" %}`;
}

async function layoutOf(snippet: StoredSnippet, analysis: TemplateAnalysis): Promise<PageLayoutEntry[]> {
  const { id, name, page_layout: layout } = snippet;
  if (layout === null) return [];
  return [
    {
      id,
      name,
      label: layout.label || name,
      description: layout.description || snippet.description,
      default: layout.default,
      has_blocks: await analysis.rendersBlocks({ name, source: snippet.content }),
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
