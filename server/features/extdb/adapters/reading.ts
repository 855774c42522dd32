/** Reads answers of services, which may have any form. What is missing or of another type is empty. */
import type { Row } from './adapter.ts';

export function recordIn(value: unknown): Row {
  return isRow(value) ? value : {};
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A member as text; numbers are written as text. */
export function textIn(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : typeof member === 'number' ? String(member) : '';
}

/** A member that is true, or 1 as some databases store it. */
export function flagIn(value: unknown, name: string): boolean {
  const member = memberOf(value, name);
  return member === true || member === 1;
}

export function numberIn(value: unknown, name: string): number | undefined {
  const member = memberOf(value, name);
  return typeof member === 'number' ? member : undefined;
}

/** The rows of a list; what is no object is left out. */
export function rowsIn(value: unknown): Row[] {
  return listIn(value).filter(isRow);
}

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
