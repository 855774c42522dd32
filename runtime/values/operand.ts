/** The operand that an operation failed on: the input of a filter, or its argument or that of a tag. */
export type Operand = 'input' | 'argument';

/** The operand if it has no value, else undefined. An error with an empty operand is shown with its name. */
export function emptyOperand(value: unknown, operand: Operand): Operand | undefined {
  return value === undefined || value === null || value === '' ? operand : undefined;
}
