import type { BlockTypeParams } from '../engine/block-source.ts';
import { fieldTypes } from '../fields/types.ts';
import { type BlockParam, readBlockSchema } from './schema.ts';

/** A block type as renders use it. The same object as long as its snippet does not change. */
export interface BlockType extends BlockTypeParams {
  readonly definitions: readonly BlockParam[];
}

/** @param stored schema of the snippet; undefined if it is no block type */
export function findBlockType(name: string, stored: unknown): BlockType | undefined {
  if (stored === null || stored === undefined) return undefined;
  const schema = readBlockSchema(stored);
  if (!schema.block) return undefined;
  const definitions = schema.params;
  return {
    name,
    definitions,
    params: definitions.map((param) => param.name),
    marks: definitions.map(({ type }) => fieldTypes[type].mark),
  };
}
