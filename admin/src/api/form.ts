/** A form with files, as the body of a call in place of JSON. */
export function sentAsForm<Fields>(form: FormData) {
  // Type boundary: the client sends the form as it is; the types of the API describe its fields.
  return { body: form as unknown as Fields, bodySerializer: () => form };
}
