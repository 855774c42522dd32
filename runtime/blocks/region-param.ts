import { fieldTypeNames } from '../fields/definition.ts';
import type { BlockParam } from './schema.ts';

/** A region as a parameter, so that its words are converted and shown like one; undefined for an unknown type. */
export function createRegionParam(name: string, typeName: string): BlockParam | undefined {
  const type = fieldTypeNames.find((known) => known === typeName);
  if (type === undefined) return undefined;
  return {
    name,
    label: name,
    type,
    required: false,
    options: [],
    collection: null,
    default: null,
    design: false,
  };
}

/** The parameter of words that may refer to something: only images are numbers, and only links are objects. */
export function findReferringParam(name: string, value: unknown): BlockParam | undefined {
  if (typeof value === 'number') return createRegionParam(name, 'image');
  return typeof value === 'object' && value !== null ? createRegionParam(name, 'link') : undefined;
}
