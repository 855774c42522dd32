/**
 * Something a template asks for at run time that cannot be done. The engine turns it into a TemplateError with
 * template, line and column; so does it with a FilterError.
 */
export class TemplateFault extends Error {}

/** Whether an error is no fault of the template and leaves the engine as it is, such as that of `not_found()`. */
export function passesThrough(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'passThrough' in error && error.passThrough === true;
}
