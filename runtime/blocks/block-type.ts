import { fieldTypes } from '../fields/types.ts';
import { type BlockParam, readBlockSchema } from './schema.ts';

/** A block type as renders use it. The same object as long as its snippet does not change. */
export interface BlockType {
  /** Name of the snippet. */
  readonly name: string;
  /** Names of the parameters. */
  readonly params: readonly string[];
  readonly definitions: readonly BlockParam[];
  /** How previews mark the parameters, by position; undefined = not. */
  readonly marks: readonly ('text' | 'image' | undefined)[];
}

/** @param stored schema of the snippet; undefined if it is no block type */
export function blockTypeOf(name: string, stored: unknown): BlockType | undefined {
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
