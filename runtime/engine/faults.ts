/**
 * Something a template asks for at run time that cannot be done. The engine turns it into a TemplateError with
 * template, line and column; so does it with a FilterError.
 */
export class TemplateFault extends Error {}

/** Marks an error that is no fault of the template and leaves the engine as it is, such as `not_found()`. */
export interface PassThrough {
  readonly passThrough: true;
}

export function passesThrough(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'passThrough' in error && error.passThrough === true;
}
