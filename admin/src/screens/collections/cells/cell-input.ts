/** Values of entries as the text of a cell that is edited. */
import type { CollectionField } from '../../../content/collections.ts';

/** What stands in the input of a cell; empty is no value. */
export type CellText = string;

type Field = Pick<CollectionField, 'type' | 'options' | 'required'>;

type CellInput =
  | { readonly kind: 'text'; readonly type: 'text' | 'url' | 'date' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

/** Whether a field is edited in the table; the others need the form of the entry. */
export function isCellEditable({ type }: Field): boolean {
  return ['text', 'url', 'number', 'date', 'select', 'boolean'].includes(type);
}

/** The input of a cell. Numbers are typed as text, because a browser hides what it cannot read as a number. */
export function cellInput({ type, options, required }: Field): CellInput {
  if (type === 'boolean') return { kind: 'choice', choices: ['false', 'true'] };
  if (type === 'select' && options.length > 0)
    return { kind: 'choice', choices: required ? options : ['', ...options] };
  return { kind: 'text', type: type === 'url' || type === 'date' ? type : 'text' };
}

export function textOfCell({ type }: Field, value: unknown): CellText {
  if (type === 'boolean') return String(value === true);
  return value === null || value === undefined ? '' : String(value);
}

/** The value for the API. A number that is none goes out as typed, so that the server says what is wrong. */
export function valueOfCell({ type }: Field, typed: CellText): unknown {
  if (type === 'boolean') return typed === 'true';
  if (typed === '') return null;
  if (type !== 'number') return typed;
  const number = Number(typed.trim().replace(',', '.'));
  return Number.isFinite(number) ? number : typed;
}
