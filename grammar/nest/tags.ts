/** One line per tag: the node it makes, with what it encloses. A tag that is not here cannot stand on its own. */
import type { Node, Span } from '../ast.ts';
import { errorAt } from '../errors.ts';
import type { Tag } from '../items.ts';
import { nestFor, nestIf, nestIfChanged } from './branches.ts';
import { type Cursor, nestNamed, nestSimple } from './cursor.ts';
import { nestComponent, nestMacro, nestPartialDefinition, nestSlot, refOf, usePartial } from './parts.ts';

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
  cycle: (_cursor, tag) => nestCycle(tag),
  with: (cursor, tag) => ({
    type: 'With',
    bindings: tag.bindings,
    ...nestSimple(cursor, tag),
    start: tag.start,
  }),
  block: (cursor, tag) => ({ type: 'Block', name: tag.name, ...nestNamed(cursor, tag), start: tag.start }),
  autoescape: (cursor, tag) => ({
    type: 'Autoescape',
    on: tag.on,
    ...nestSimple(cursor, tag),
    start: tag.start,
  }),
  filter: (cursor, tag) => ({
    type: 'FilterBlock',
    value: tag.value,
    ...nestSimple(cursor, tag),
    start: tag.start,
  }),
  spaceless: (cursor, tag) => ({ type: 'Spaceless', ...nestSimple(cursor, tag), start: tag.start }),
  cache: (cursor, tag) => ({
    type: 'Cache',
    timeout: tag.timeout,
    ...nestSimple(cursor, tag),
    start: tag.start,
  }),
  set: (_cursor, tag) => ({ type: 'Set', name: tag.name, value: tag.value, ...spanOf(tag) }),
  include: (cursor, tag) => ({
    type: 'Include',
    template: refOf(cursor, tag),
    bindings: tag.bindings,
    only: tag.only,
    ...spanOf(tag),
  }),
  extends: (cursor, tag) => ({ type: 'Extends', template: refOf(cursor, tag), ...spanOf(tag) }),
  import: (cursor, tag) => ({
    type: 'Import',
    template: refOf(cursor, tag),
    names: tag.names,
    ...spanOf(tag),
  }),
  firstof: (_cursor, tag) => ({ type: 'FirstOf', values: tag.values, ...assigned(tag), ...spanOf(tag) }),
  now: (_cursor, tag) => ({ type: 'Now', format: tag.format, ...assigned(tag), ...spanOf(tag) }),
  regroup: (_cursor, tag) => ({
    type: 'Regroup',
    list: tag.list,
    entry: tag.entry,
    key: tag.key,
    as: tag.as,
    ...spanOf(tag),
  }),
  resetcycle: (_cursor, tag) => ({
    type: 'ResetCycle',
    ...(tag.name !== undefined && { name: tag.name }),
    ...spanOf(tag),
  }),
  widthratio: (_cursor, tag) => ({
    type: 'WidthRatio',
    value: tag.value,
    max: tag.max,
    width: tag.width,
    ...assigned(tag),
    ...spanOf(tag),
  }),
  lorem: (_cursor, tag) => ({
    type: 'Lorem',
    count: tag.count,
    method: tag.method,
    random: tag.random,
    ...spanOf(tag),
  }),
  templatetag: (_cursor, tag) => ({ type: 'Text', value: tag.text, ...spanOf(tag) }),
  querystring: (_cursor, tag) => ({
    type: 'QueryString',
    bases: tag.bases,
    bindings: tag.bindings,
    ...assigned(tag),
    ...spanOf(tag),
  }),
  blocks: (_cursor, tag) => ({ type: 'Blocks', tree: tag.tree, ...spanOf(tag) }),
  nothing: () => undefined,
};

/** The node of a tag, undefined if it makes none. @throws TemplateError for a tag that cannot stand on its own */
export function nestTag<Name extends Tag['tag']>(cursor: Cursor, tag: TagsByName[Name]): Node | undefined {
  const nest: ((cursor: Cursor, tag: TagsByName[Name]) => Node | undefined) | undefined =
    nesters[tag.tag as Name];
  if (nest === undefined) throw errorAt(cursor.text, tag.start, `{% ${tag.tag} %} cannot stand here`);
  return nest(cursor, tag);
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

/** The name after `as`, left out where there is none. */
function assigned({ as }: { readonly as?: string | undefined }): { readonly as?: string } {
  return as === undefined ? {} : { as };
}

function nestCycle(tag: Tag & { tag: 'cycle' }): Node {
  const [only] = tag.values;
  if (tag.values.length === 1 && only?.type === 'Name' && tag.as === undefined) {
    return { type: 'CycleNext', name: only.name, ...spanOf(tag) };
  }
  return {
    type: 'Cycle',
    values: tag.values,
    ...assigned(tag),
    silent: tag.silent,
    ...spanOf(tag),
  };
}
