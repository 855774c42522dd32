/** The table of the tags that nest/ makes nodes of. Other tags cannot stand on their own. */
import type { Node } from '../ast.ts';
import { errorAt } from '../errors.ts';
import type { Tag } from '../items.ts';
import { nestFor, nestIf, nestIfChanged } from './branches.ts';
import { type Cursor, nestNamed, nestSimple } from './cursor.ts';
import { nestComponent, nestMacro, nestPartialDefinition, nestSlot, usePartial } from './parts.ts';

type TagsByName = { readonly [Name in Tag['tag']]: Extract<Tag, { readonly tag: Name }> };

type Nesters = {
  readonly [Name in Tag['tag']]?: (cursor: Cursor, tag: TagsByName[Name]) => Node | undefined;
};

const nesters: Nesters = {
  if: nestIf,
  for: nestFor,
  ifchanged: nestIfChanged,
  component: nestComponent,
  slot: nestSlot,
  macro: nestMacro,
  partialdef: nestPartialDefinition,
  partial: usePartial,
  with: (cursor, tag) => {
    const { body, end } = nestSimple(cursor, tag);
    return { type: 'With', bindings: tag.bindings, body, start: tag.start, end };
  },
  block: (cursor, tag) => {
    const { body, end } = nestNamed(cursor, tag);
    return { type: 'Block', name: tag.name, body, start: tag.start, end };
  },
  autoescape: (cursor, tag) => {
    const { body, end } = nestSimple(cursor, tag);
    return { type: 'Autoescape', on: tag.on, body, start: tag.start, end };
  },
  filter: (cursor, tag) => {
    const { body, end } = nestSimple(cursor, tag);
    return { type: 'FilterBlock', value: tag.value, body, start: tag.start, end };
  },
  spaceless: (cursor, tag) => {
    const { body, end } = nestSimple(cursor, tag);
    return { type: 'Spaceless', body, start: tag.start, end };
  },
  region: (cursor, tag) => {
    const { body, end } = nestNamed(cursor, tag);
    return { type: 'Region', name: tag.name, bindings: tag.bindings, body, start: tag.start, end };
  },
  cache: (cursor, tag) => {
    const { body, end } = nestSimple(cursor, tag);
    return { type: 'Cache', timeout: tag.timeout, body, start: tag.start, end };
  },
};

/** The node of a tag; undefined if it makes none. @throws TemplateError if the tag cannot stand on its own */
export function nestTag<Name extends Tag['tag']>(cursor: Cursor, tag: TagsByName[Name]): Node | undefined {
  const nest: ((cursor: Cursor, tag: TagsByName[Name]) => Node | undefined) | undefined =
    nesters[tag.tag as Name];
  if (nest === undefined) throw errorAt(cursor.text, tag.start, `{% ${tag.tag} %} cannot stand here`);
  return nest(cursor, tag);
}
