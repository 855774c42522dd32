/** A snippet's new name in what uses it. Free of the browser, so that it is tested alone. */
import { toRecord } from '../../api/failure.ts';
import { type Block, type BlockTree, isReference, listSlots } from '../../editors/blocks/model/tree.ts';

export interface Renamed<Value> {
  readonly value: Value;
  /** How many names were changed. */
  readonly count: number;
}

/** A tag that names a snippet, up to the name, which may have a part behind `#`. */
const naming = /(\{%-?\s*(?:include|extends|component|import)\s+)(?:(["'])([\w.\-/]+)(#\w+)?\2|([\w.\-/]+))/g;

/**
 * The template with a snippet under its new name. A name without quotes gets some, because the new one may be no
 * word.
 *
 * @param folder of the template that names it, for names such as `./card`; empty in a page
 */
export function renamedInText(text: string, from: string, to: string, folder: string): Renamed<string> {
  let count = 0;
  const value = text.replace(naming, (whole, start, quote = '"', quoted, part = '', bare) => {
    if (fullName(quoted ?? bare, folder) !== from) return whole;
    count++;
    return `${start}${quote}${to}${part}${quote}`;
  });
  return { value, count };
}

/** The blocks with a block type under its new name. */
export function renamedInTree(tree: BlockTree, from: string, to: string): Renamed<BlockTree> {
  let count = 0;
  const renamed = (block: Block): Block => {
    if (isReference(block)) return block;
    const isOfType = block.type === from;
    if (isOfType) count++;
    const slots = listSlots(block).map(([name, list]) => [name, list.map(renamed)]);
    return {
      ...block,
      type: isOfType ? to : block.type,
      ...(slots.length === 0 ? {} : { slots: Object.fromEntries(slots) }),
    };
  };
  return { value: tree.map(renamed), count };
}

/** The schema of a block type whose slots take a type under its new name. */
export function renamedInSchema(schema: unknown, from: string, to: string): Renamed<unknown> {
  const count = listAllowed(schema).filter((name) => name === from).length;
  if (count === 0) return { value: schema, count };
  const slots = slotsIn(schema).map((slot) => {
    const { allow } = slot;
    if (!Array.isArray(allow)) return slot;
    return { ...slot, allow: allow.map((name: unknown) => (name === from ? to : name)) };
  });
  return { value: { ...toRecord(schema), slots }, count };
}

/** The block types that the slots of a schema name. */
export function listAllowed(schema: unknown): readonly unknown[] {
  return slotsIn(schema).flatMap(({ allow }) => allow ?? []);
}

function slotsIn(schema: unknown): readonly Readonly<Record<string, unknown>>[] {
  const { slots } = toRecord(schema);
  return Array.isArray(slots) ? slots.map(toRecord) : [];
}

/** `./name` and `../name` are relative to the folder of the template, as the server reads them. */
function fullName(name: string, folder: string): string {
  if (!name.startsWith('./') && !name.startsWith('../')) return name;
  const path = folder === '' ? [] : folder.split('/');
  for (const part of name.split('/')) {
    if (part === '..') path.pop();
    else if (part !== '.') path.push(part);
  }
  return path.join('/');
}
