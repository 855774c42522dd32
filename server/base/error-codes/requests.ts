import type { ErrorTable } from './entry.ts';

/** Any request: its form, its size, its place. */
export const requestErrors = {
  'common.notFound': {
    status: 404,
    text: (p: { field?: string }) =>
      p.field === undefined ? 'not found' : `there is no object with the ID in ${p.field}`,
  },
  'common.methodNotAllowed': {
    status: 405,
    text: (p: { method: string; allowed: string }) =>
      `method ${p.method} is not supported here, only ${p.allowed}`,
  },
  'common.invalid': {
    status: 400,
    text: (p: FieldFault & { errors?: readonly FieldFault[] }) => textOfFaults(p.errors ?? [p]),
  },
  'common.unknownField': {
    status: 400,
    text: (p: { field: string; suggestion?: string }) =>
      `there is no field ${p.field}${p.suggestion === undefined ? '' : `, did you mean ${p.suggestion}?`}`,
  },
  'common.inUse': {
    status: 409,
    text: (p: { usage: readonly UsageEntry[] }) =>
      `it is in use by ${p.usage
        .slice(0, 3)
        .map(({ kind, title }) => `${kind} "${title}"`)
        .join(', ')}${p.usage.length > 3 ? ' and others' : ''}`,
  },
  'content.breaksPages': {
    status: 422,
    text: (p: { pages: readonly { readonly path: string; readonly error: string }[] }) =>
      `nothing is saved, because pages would fail: ${p.pages
        .slice(0, 3)
        .map(({ path, error }) => `${path} (${error})`)
        .join(', ')}${p.pages.length > 3 ? ' and others' : ''}`,
  },
  'common.nameTaken': { status: 409, text: (p: { name: string }) => `the name "${p.name}" is taken` },
  'common.invalidJson': {
    status: 400,
    text: (p: { position: number; reason: string }) => `invalid JSON at position ${p.position}: ${p.reason}`,
  },
  'common.tooLarge': { status: 413, text: (p: { max: number }) => `the body is larger than ${p.max} bytes` },
  'common.addressTooLong': {
    status: 414,
    text: (p: { max: number }) => `path and query are longer than ${p.max} characters`,
  },
  'common.aborted': { status: 400, text: () => 'the request ended before its body was complete' },
  'common.contentType': {
    status: 415,
    text: (p: { expected: string }) => `the body must be sent as ${p.expected}, without a content encoding`,
  },
  'common.conflict': {
    status: 409,
    text: (p: { updated_at: number }) => `the object has been changed meanwhile (updated_at ${p.updated_at})`,
  },
  'common.rateLimited': {
    status: 429,
    text: (p: { retry_after: number }) => `too many requests, try again in ${p.retry_after} s`,
  },
  'common.busy': { status: 503, text: () => 'the server is busy, try again' },
  'common.outcomeUnknown': {
    status: 503,
    text: () =>
      'the connection to the database was lost: the change may have been saved, look before you repeat it',
  },
  'common.storageFull': {
    status: 507,
    text: () => 'the storage is full or cannot be written, nothing was saved',
  },
  'common.internal': { status: 500, text: (p: { id: string }) => `unexpected error ${p.id}` },
  'common.invalidForm': {
    status: 400,
    text: (p: { reason: string }) => `the form is not valid: ${p.reason}`,
  },
  'changes.gone': {
    status: 410,
    text: (p: { oldest: number; version: number }) =>
      `the log of changes begins with version ${p.oldest} and ends with ${p.version}: read what you need anew`,
  },
} satisfies ErrorTable;

/** Most faults in the text of an error; `errors` lists all. */
const maxFaultsInText = 10;

function textOfFaults(faults: readonly FieldFault[]): string {
  const texts = faults.slice(0, maxFaultsInText).map(({ field, reason }) => `${field} ${reason}`);
  const more = faults.length - texts.length;
  return `${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** A field of a request that is not valid. The reason continues a sentence that begins with the field. */
export interface FieldFault {
  readonly field: string;
  readonly reason: string;
}

/** An object that refers to another one (`if_unused`). */
export interface UsageEntry {
  readonly kind: string;
  readonly id: number;
  readonly title: string;
}
