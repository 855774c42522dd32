/**
 * The parameters of blocks as their templates get them (Core, "Rendering of blocks"). Values that follow from the tree
 * and the schema alone are made once and kept with the block. Files and entries are looked up by every render, so that
 * the render depends on them.
 */

import type { BlockType } from '../../blocks/block-type.ts';
import type { BlockParam } from '../../blocks/schema.ts';
import type { PreparedBlock } from '../../engine/block-source.ts';
import { ConversionError } from '../../fields/definition.ts';
import { convertParameter, fieldTypes } from '../../fields/types.ts';
import { isMap } from '../../filters/shared/values.ts';
import { markdownToHtml } from '../../markdown/index.ts';
import { SafeString } from '../../values/safe.ts';

/** What parameters may refer to. */
export interface ParameterTargets {
  file(id: number): unknown;
  /** An entry; undefined if there is none that the render may show. */
  entry(collectionId: number, id: number): unknown;
  /** A value with parts, as a field of an entry has it. */
  field(field: BlockParam, stored: unknown): unknown;
}

interface Kept {
  readonly block: PreparedBlock;
  /** Positions of values that lead to something. */
  readonly late: readonly { readonly index: number; readonly param: BlockParam; readonly value: unknown }[];
}

const kept = new WeakMap<object, Kept>();

/** @param block as it is in the tree; trees of previews are not checked */
export function prepareBlock(
  block: Readonly<Record<string, unknown>>,
  type: BlockType,
  targets: ParameterTargets,
): PreparedBlock {
  let known = kept.get(block);
  if (known === undefined || known.block.type !== type) {
    known = keep(block, type);
    kept.set(block, known);
  }
  if (known.late.length === 0) return known.block;
  const values = [...known.block.values];
  for (const { index, param, value } of known.late) values[index] = lookedUp(param, value, targets);
  return { ...known.block, values };
}

function keep(block: Readonly<Record<string, unknown>>, type: BlockType): Kept {
  const { id, params, slots } = block;
  const given = isMap(params) ? params : {};
  const late: Kept['late'][number][] = [];
  const values = type.definitions.map((param, index) => {
    const value = valueIn(given, param);
    const { refersTo, parameter } = fieldTypes[param.type];
    if (refersTo === undefined && parameter !== 'field') return shown(value, param);
    late.push({ index, param, value });
    return undefined;
  });
  const about = Object.freeze(Object.assign(Object.create(null), { id, type: type.name }));
  const lists = isMap(slots) ? Object.entries(slots) : [];
  return { block: { kind: 'block', type, values, about, slots: lists }, late };
}

/**
 * The value of a parameter outside of a tree, as its template gets it; undefined if it does not fit. Like the values of
 * blocks it is made anew for each render only if it refers to something.
 */
export function prepareValue(
  value: unknown,
  param: BlockParam,
): ((targets: ParameterTargets) => unknown) | undefined {
  const own = valueIn({ [param.name]: value }, param);
  if (own === null) return undefined;
  const { refersTo, parameter } = fieldTypes[param.type];
  if (refersTo !== undefined || parameter === 'field') return (targets) => lookedUp(param, own, targets);
  const result = shown(own, param);
  return () => result;
}

/** The value of a parameter, else its default; null if there is neither. */
function valueIn(given: Readonly<Record<string, unknown>>, param: BlockParam): unknown {
  const own = Object.hasOwn(given, param.name) ? convertParameter(given[param.name], param) : null;
  // The type of the parameter may have changed since the tree was stored.
  const value = own instanceof ConversionError ? null : own;
  if (value !== null) return value;
  const fallback = convertParameter(param.default, param);
  return fallback instanceof ConversionError ? null : fallback;
}

/** A missing value is undefined, as a variable that does not exist. */
function shown(value: unknown, { type }: BlockParam): unknown {
  if (value === null) return type === 'boolean' ? false : undefined;
  const { parameter } = fieldTypes[type];
  if (parameter === 'html') return new SafeString(String(value));
  return parameter === 'markdown' ? new SafeString(markdownToHtml(String(value), 'author')) : value;
}

function lookedUp(param: BlockParam, ids: unknown, targets: ParameterTargets): unknown {
  const { type, collection } = param;
  const { parameter } = fieldTypes[type];
  if (parameter === 'field') return ids === null ? undefined : targets.field(param, ids);
  if (parameter === 'entries') {
    const list: readonly unknown[] = Array.isArray(ids) ? ids : [];
    return list.flatMap((id) => targets.entry(collection ?? 0, Number(id)) ?? []);
  }
  if (typeof ids !== 'number') return undefined;
  return parameter === 'file' ? targets.file(ids) : targets.entry(collection ?? 0, ids);
}
