import { readBlockSchema } from '../../../runtime/blocks/schema.ts';
import { compareIgnoringCase } from '../../base/text.ts';
import type { TextAnalysis } from '../../changes/text-analysis.ts';
import { listUsageOfType } from '../../content/blocks/usage.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { BlockType, PageLayoutEntry, StoredSnippet } from './model.ts';
import * as store from './store.ts';
import { toCheckedText } from './text.ts';

/** Block types and page layouts, which snippets offer to editors. */

/** GET /blocks/types: the snippets whose schema has `block` set, sorted by name. */
export async function listBlockTypes(db: ContentDb): Promise<BlockType[]> {
  const snippets = await store.snippets.list(db);
  return snippets
    .sort((left, right) => compareIgnoringCase(left.name, right.name))
    .flatMap((snippet) => blockTypeOf(snippet) ?? []);
}

/** GET /blocks/types?usage=1: the same with the objects whose trees have blocks of a type. */
export async function listBlockTypesWithUsage(db: ContentDb): Promise<BlockType[]> {
  const types: BlockType[] = [];
  for (const type of await listBlockTypes(db))
    types.push({ ...type, usage: await listUsageOfType(db, type.name) });
  return types;
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
  const { rendersBlocks } = await analysis.report(toCheckedText(snippet));
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
  const { block, label, description, icon, category, params, slots } = readBlockSchema(snippet.schema);
  if (!block) return undefined;
  return {
    name: snippet.name,
    label: label || snippet.name,
    description: description || snippet.description,
    icon,
    category,
    // Type boundary: parameters were checked when the schema was saved; those of groups hold no groups.
    params: structuredClone(params) as BlockType['params'],
    slots: slots.map((slot) => ({ ...slot, allow: [...slot.allow] })),
  };
}
