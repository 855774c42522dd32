/**
 * A template asks for something at run time that is not possible. The engine turns this error, like a
 * FilterError, into a TemplateError with template, line and column.
 */
export class TemplateFault extends Error {}

/**
 * Whether an error is not a fault of the template (as that of `not_found()`) and leaves the engine unchanged.
 */
export function passesThrough(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'passThrough' in error && error.passThrough === true;
}
