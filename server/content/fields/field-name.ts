import { changeSetParameter } from '../../api/parameters/overlaid-reads.ts';

/** Why a new field of a collection cannot have this name; undefined if it can. */
export function findFieldNameFault(name: string): string | undefined {
  if (name === changeSetParameter) return 'is reserved: lists of entries have a parameter of this name';
  return findNameFault(name);
}

/** Why a field cannot have this name; undefined if it can. */
export function findNameFault(name: string): string | undefined {
  if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name))
    return 'must consist of letters, digits and "_" and not begin with a digit';
  // Names that every object inherits would reach a prototype.
  if (name === 'id' || name in Object.prototype || name === '__proto__') return 'is reserved';
  return undefined;
}
