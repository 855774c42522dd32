import { createCollection, createItem, createSnippet } from './content.ts';
import type { TestServer } from './server.ts';

/** IDs of what the block types of {@link createBlockTypes} refer to. */
export interface BlockTargets {
  readonly collection: number;
  readonly entry: number;
}

/**
 * Block types for tests: `heading` (text, required, no default), `every` (a parameter of each type), `columns` (slots
 * `left` and `right`), `list` (slot `default`, takes only `heading`, at most 2). And what is none: `plain` without a
 * schema, `off` with one that is switched off.
 */
export async function createBlockTypes(server: TestServer): Promise<BlockTargets> {
  const collection = await createCollection(server, {
    slug: 'targets',
    fields: [{ name: 'title', type: 'text' }],
  });
  const entry = await createItem(server, collection, { title: 'Target' });
  const types: Readonly<Record<string, object | null>> = {
    heading: {
      block: true,
      params: [
        { name: 'text', type: 'text', required: true },
        { name: 'level', type: 'select', options: ['2', '3'], default: '2', required: true },
      ],
    },
    every: {
      block: true,
      params: [
        { name: 'text', type: 'text' },
        { name: 'textarea', type: 'textarea' },
        { name: 'html', type: 'html' },
        { name: 'markdown', type: 'markdown' },
        { name: 'number', type: 'number' },
        { name: 'boolean', type: 'boolean' },
        { name: 'date', type: 'date' },
        { name: 'url', type: 'url' },
        { name: 'select', type: 'select', options: ['a', 'b'] },
        { name: 'image', type: 'image' },
        { name: 'file', type: 'file' },
        { name: 'reference', type: 'reference', collection },
        { name: 'references', type: 'references', collection },
      ],
    },
    columns: { block: true, slots: [{ name: 'left' }, { name: 'right' }] },
    list: { block: true, slots: [{ name: 'default', allow: ['heading'], max: 2 }] },
    plain: null,
    off: { block: false },
  };
  const contents: Readonly<Record<string, string>> = {
    heading: '<h{{ level }}>{{ text }}</h{{ level }}>',
    every: '{{ text }}',
    columns: '<div>{% slot left %}{% endslot %}|{% slot right %}{% endslot %}</div>',
    list: '<ul>{% slot %}{% endslot %}</ul>',
  };
  for (const [name, schema] of Object.entries(types))
    await createSnippet(server, { name, schema, content: contents[name] ?? '' });
  return { collection, entry };
}

/** A block of `columns` within itself, so many levels deep. */
export function nested(levels: number, innermost: readonly unknown[] = []): unknown[] {
  let blocks: unknown[] = [...innermost];
  for (let level = 0; level < levels; level++) blocks = [{ type: 'columns', slots: { left: blocks } }];
  return blocks;
}
