/** The values in a group: what the fields of the group demand of them besides their types. */
import type { FieldDefinition } from '../../../runtime/fields/definition.ts';
import { listObjects } from '../../../runtime/fields/group.ts';
import { fieldTypes, isEmptyValue } from '../../../runtime/fields/types.ts';
import { findBrokenRule } from './rules.ts';

export interface InnerFault {
  /** Place below the group, such as `0.day`. */
  readonly path: string;
  readonly reason: string;
  /** Whether the value is required and missing. */
  readonly isMissing: boolean;
}

/** What is wrong with a converted value of a group; undefined for nothing, and for values of other types. */
export function findInnerFault(value: unknown, group: FieldDefinition): InnerFault | undefined {
  if (group.type !== 'group' || isEmptyValue(value)) return undefined;
  for (const [object, at] of listObjects(value)) {
    for (const field of group.fields ?? []) {
      const inner = object[field.name];
      const path = at + field.name;
      if (isEmptyValue(inner)) {
        if (field.required) return { path, reason: 'is required', isMissing: true };
        continue;
      }
      const reason = fieldTypes[field.type].findFault?.(inner) ?? findBrokenRule(inner, field);
      if (reason !== undefined) return { path, reason, isMissing: false };
    }
  }
  return undefined;
}
