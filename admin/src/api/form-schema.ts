/** The JSON Schema of a field; `kit/form/form-field.ts` reads it. */
export interface FieldSchema {
  readonly [keyword: string]: unknown;
}

/** The JSON Schema of an object that a form edits. */
export interface FormSchema<Values> {
  readonly type: 'object';
  readonly properties: { readonly [Name in keyof Values]-?: FieldSchema };
  readonly required?: readonly string[];
}
