/** Paired tags that define or fill named parts: components and their slots, macros, partials. */
import type { Fill, Node, Span } from '../ast.ts';
import { errorAt } from '../errors.ts';
import { partialNamed } from '../partials.ts';
import { type Cursor, nestNamed, nestSimple, type PairedStartTag, runInsideTag } from './cursor.ts';

export function nestComponent(cursor: Cursor, tag: PairedStartTag & { tag: 'component' }): Node {
  const { template, bindings, start } = tag;
  const fills: Fill[] = [];
  const filled = new Set<string>();
  let end = tag.end;
  if (!tag.selfClosing) {
    const direct: Node[] = [];
    runInsideTag(cursor, tag, () => {
      for (;;) {
        const { nodes, closer } = cursor.nestBody(cursor);
        for (const node of nodes) direct.push(node);
        if (closer === undefined) return;
        end = closer.end;
        if (closer.tag !== 'fill') return;
        if (filled.has(closer.name)) {
          throw errorAt(
            cursor.text,
            closer.start,
            `slot "${closer.name}" is filled twice in the same {% component %}`,
          );
        }
        filled.add(closer.name);
        const { body, end: fillEnd } = nestSimple(cursor, closer);
        fills.push({ name: closer.name, body, start: closer.start, end: fillEnd });
      }
    });
    if (direct.some((node) => node.type !== 'Text' || node.value.trim() !== '')) {
      if (filled.has('default')) {
        throw errorAt(
          cursor.text,
          start,
          'the default slot is filled twice: by {% fill default %} and by other content',
        );
      }
      fills.push({ name: 'default', body: direct, start, end });
    }
  }
  return { type: 'Component', template, bindings, fills, start, end };
}

export function nestSlot(cursor: Cursor, tag: PairedStartTag & { tag: 'slot' }): Node {
  const { body, end } = nestSimple(cursor, tag);
  return { type: 'Slot', name: tag.name, fallback: body, start: tag.start, end };
}

/** A limit, because every call may pass one value per parameter. */
const maxMacroParams = 255;

export function nestMacro(cursor: Cursor, tag: PairedStartTag & { tag: 'macro' }): Node {
  const { name, params, start } = tag;
  if (params.length > maxMacroParams)
    throw errorAt(cursor.text, start, `a macro takes at most ${maxMacroParams} parameters`);
  const { body, end } = nestNamed(cursor, tag);
  return { type: 'Macro', name, params, body, start, end };
}

/** A definition outputs nothing where it stands, unless it is inline. */
export function nestPartialDefinition(
  cursor: Cursor,
  tag: PairedStartTag & { tag: 'partialdef' },
): Node | undefined {
  if (cursor.partials.get(tag.name)?.size !== undefined) {
    throw errorAt(
      cursor.text,
      tag.start,
      `a second {% partialdef ${tag.name} %}: names of partials are unique`,
    );
  }
  const before = cursor.counter.size;
  const { body: nodes, end } = nestNamed(cursor, tag);
  const partial = partialNamed(cursor.partials, tag.name);
  for (const node of nodes) partial.body.push(node);
  partial.size = cursor.counter.since(before);
  return tag.inline ? usePartial(cursor, { name: tag.name, start: tag.start, end }) : undefined;
}

/** Renders a partial here, whether it is defined above or below. */
export function usePartial(cursor: Cursor, tag: Span & { readonly name: string }): Node {
  const { name, start, end } = tag;
  const around = cursor.open.findLast((opened) => opened.tag === 'partialdef');
  cursor.uses.push({ name, inside: around?.name, start });
  return { type: 'Partial', name, body: partialNamed(cursor.partials, name).body, start, end };
}
