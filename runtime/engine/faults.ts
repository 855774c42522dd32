import type { Operand } from '../values/operand.ts';

/**
 * A template asks for something at run time that is not possible. The engine turns this error, like a
 * FilterError, into a TemplateError with template, line and column.
 */
export class TemplateFault extends Error {
  /** The operand that the tag needs and that is empty. */
  readonly empty: Operand | undefined;

  constructor(message: string, empty?: Operand) {
    super(message);
    this.empty = empty;
  }
}

/**
 * Whether an error is not a fault of the template (as that of `not_found()`) and leaves the engine unchanged.
 */
export function passesThrough(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'passThrough' in error && error.passThrough === true;
}
