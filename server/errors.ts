/**
 * Every error the API answers with on purpose (Core, "Errors"): stable code, status, English text.
 * Texts may be improved, codes and params never change. Anything thrown that is not an `ApiError` is a defect
 * and becomes a 500 without detail.
 */
const table = {
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
  'common.nameTaken': { status: 409, text: (p: { name: string }) => `the name "${p.name}" is taken` },
  'template.invalid': {
    status: 422,
    text: (p: { count: number }) =>
      `${p.count === 1 ? 'one fault keeps' : `${p.count} faults keep`} the object from working, nothing was saved: see warnings`,
  },
  'common.invalidJson': {
    status: 400,
    text: (p: { position: number; reason: string }) => `invalid JSON at position ${p.position}: ${p.reason}`,
  },
  'common.tooLarge': { status: 413, text: (p: { max: number }) => `the body is larger than ${p.max} bytes` },
  'file.tooLarge': { status: 413, text: (p: { max: number }) => `the file is larger than ${p.max} bytes` },
  'file.missing': { status: 400, text: () => 'the form has no file in its field "file"' },
  'file.imageInvalid': {
    status: 400,
    text: (p: { reason: string }) => `the image cannot be used: ${p.reason}`,
  },
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
  'common.storageFull': {
    status: 507,
    text: () => 'the storage is full or cannot be written, nothing was saved',
  },
  'common.internal': { status: 500, text: (p: { id: string }) => `unexpected error ${p.id}` },
  'geo.running': { status: 409, text: () => 'country data is being brought up to date already' },
  'geo.disabled': { status: 409, text: () => 'country data is switched off' },
  'geo.fileInvalid': {
    status: 400,
    text: (p: { reason: string }) => `a file is no allocation list of a registry: ${p.reason}`,
  },
  'changes.gone': {
    status: 410,
    text: (p: { oldest: number; version: number }) =>
      `the log of changes begins with version ${p.oldest} and ends with ${p.version}: read what you need anew`,
  },
  'storage.secretUndecryptable': {
    status: 409,
    text: () =>
      'a stored secret cannot be decrypted, the key of the server was lost or changed: enter it again',
  },
  'webhook.urlInvalid': { status: 400, text: (p: { reason: string }) => `the address ${p.reason}` },
  'webhook.eventUnknown': {
    status: 400,
    text: (p: { event: string }) => `there is no event ${JSON.stringify(p.event)}`,
  },
  'webhook.eventsRequired': { status: 400, text: () => 'events must name at least one event' },
  'webhook.nameTooLong': {
    status: 400,
    text: (p: { max: number }) => `the name is longer than ${p.max} characters`,
  },
  'webhook.secretTooShort': {
    status: 400,
    text: (p: { min: number }) => `the secret has fewer than ${p.min} characters`,
  },
  'webhook.secretTooLong': {
    status: 400,
    text: (p: { max: number }) => `the secret is longer than ${p.max} characters`,
  },
  'webhook.tooMany': { status: 409, text: (p: { max: number }) => `there are ${p.max} webhooks already` },
  'auth.required': {
    status: 401,
    text: (p: { reason: RefusalReason }) => `authentication required: ${refusalTexts[p.reason]}`,
  },
  'auth.readOnly': { status: 403, text: () => 'token is read-only' },
  'auth.sessionRequired': { status: 403, text: () => 'this endpoint needs an admin session' },
  'auth.csrf': { status: 403, text: () => 'missing X-IC-CSRF header' },
  'auth.invalidCredentials': { status: 401, text: () => 'wrong username or password' },
  'auth.tooManyAttempts': {
    status: 429,
    text: (p: { retry_after: number }) => `too many failed logins, try again in ${p.retry_after} s`,
  },
  'auth.passwordTooShort': {
    status: 400,
    text: (p: { min: number }) => `the password has fewer than ${p.min} characters`,
  },
  'auth.passwordTooLong': {
    status: 400,
    text: (p: { max: number }) => `the password has more than ${p.max} characters`,
  },
  'auth.setupDone': { status: 409, text: () => 'the first administrator exists already' },
  'auth.setupToken': {
    status: 403,
    text: () => 'setup from this address needs the setup_token that the server printed at its start',
  },
  'user.nameTaken': { status: 409, text: (p: { username: string }) => `username "${p.username}" is taken` },
  'user.last': { status: 409, text: () => 'the last administrator cannot be deleted' },
  'system.forced': { status: 409, text: () => 'a start option of the server has switched the admin off' },
  'system.noWriteToken': {
    status: 409,
    text: () => 'without the admin nobody could write: create a token with write permission first',
  },
  'batch.empty': { status: 400, text: () => 'the batch has no operations: ops is empty' },
  'batch.tooManyOps': {
    status: 400,
    text: (p: { max: number }) => `the batch has more than ${p.max} operations`,
  },
  'batch.opUnknown': {
    status: 400,
    text: (p: { op: string }) => `op must be "create", "update" or "delete", not ${JSON.stringify(p.op)}`,
  },
  'batch.kindUnknown': {
    status: 400,
    text: (p: { kind: string }) => `there is no kind ${JSON.stringify(p.kind)} in batches`,
  },
  'batch.opNotSupported': {
    status: 400,
    text: (p: { op: string; kind: string }) => `a batch cannot ${p.op} objects of the kind ${p.kind}`,
  },
  'batch.idRequired': { status: 400, text: () => 'id is missing' },
  'batch.idInvalid': {
    status: 400,
    text: () => 'id must be an integer above 0, or "@" and the ref of an earlier create',
  },
  'batch.collectionRequired': {
    status: 400,
    text: () => 'collection is missing: the slug or the ID of the collection of an entry',
  },
  'batch.dataInvalid': {
    status: 400,
    text: () => 'data must be an object',
  },
  'batch.refInvalid': {
    status: 400,
    text: () => 'ref must be 1 to 64 letters, digits, "_", "-" or "."',
  },
  'batch.refDuplicate': {
    status: 400,
    text: (p: { ref: string }) => `an earlier operation has the ref "${p.ref}" already`,
  },
  'batch.refUnknown': {
    status: 400,
    text: (p: { ref: string }) =>
      `no earlier operation creates such an object with the ref ${JSON.stringify(p.ref)}`,
  },
  'batch.keyInvalid': {
    status: 400,
    text: (p: { max: number }) => `idempotency_key must be a text of 1 to ${p.max} characters`,
  },
  'batch.keyReused': {
    status: 409,
    text: (p: { idempotency_key: string }) =>
      `another batch has been applied with the key ${JSON.stringify(p.idempotency_key)}`,
  },
  'batch.conflict': {
    status: 409,
    text: (p: { count: number; conflicts: readonly object[] }) =>
      `${p.count} of the objects have been changed meanwhile, nothing was done`,
  },
  'batch.onBehalfTooLong': {
    status: 400,
    text: (p: { max: number }) => `the person to write for has more than ${p.max} characters`,
  },
  'page.slugInvalid': {
    status: 400,
    text: (p: { slug: string }) =>
      `slug ${JSON.stringify(p.slug)} is not valid: a-z, 0-9, ".", "_", "-", at most 200 characters, beginning with a letter or digit`,
  },
  'page.slugReserved': {
    status: 400,
    text: (p: { slug: string }) => `slug "${p.slug}" is reserved below the home page`,
  },
  'page.slugTaken': {
    status: 409,
    text: (p: { slug: string }) => `slug "${p.slug}" is taken among the siblings`,
  },
  'page.layoutWithHTML': { status: 400, text: () => 'layout_id and html cannot be combined' },
  'page.layoutUnknown': { status: 400, text: (p: { id: number }) => `snippet ${p.id} is not a page layout` },
  'page.sitemapSourceFailed': {
    status: 502,
    text: (p: { reason: string }) => `the sitemap source failed: ${p.reason}`,
  },
  'site.domainTaken': {
    status: 409,
    text: (p: { domain: string }) => `domain ${p.domain} belongs to another website`,
  },
  'snippet.nameTaken': { status: 409, text: (p: { name: string }) => `snippet name "${p.name}" is taken` },
  'snippet.layoutTooLong': {
    status: 400,
    text: (p: { field: string; max: number }) => `page_layout.${p.field} is longer than ${p.max} characters`,
  },
  'demo.notEmpty': {
    status: 409,
    text: () => 'the demo website is installed only while there are no pages, snippets, CSS and JS',
  },
  'redirect.sourceTaken': {
    status: 409,
    text: (p: { source: string }) => `there is a redirect from ${p.source} already`,
  },
  'redirect.loop': {
    status: 400,
    text: (p: { source: string }) => `the redirect from ${p.source} would lead back to itself`,
  },
  'redirect.duplicate': {
    status: 400,
    text: (p: { source: string; row: number }) => `${p.source} stands in row ${p.row} already`,
  },
  'collection.slugTaken': {
    status: 409,
    text: (p: { slug: string }) => `slug "${p.slug}" belongs to another collection or source`,
  },
  'collection.detailPageInvalid': {
    status: 400,
    text: (p: { id: number }) => `page ${p.id} is not a catch-all page`,
  },
  'collection.hasEntry': {
    status: 409,
    text: () => 'the collection has exactly one entry, and it has it already',
  },
  'collection.manyEntries': {
    status: 409,
    text: (p: { count: number }) =>
      `only a collection with at most one entry can become a singleton or stop being one, this one has ${p.count}`,
  },
  'collection.notSingleton': {
    status: 400,
    text: () => 'the collection is a list: its entries have addresses of their own',
  },
  'item.fieldRequired': { status: 400, text: (p: { field: string }) => `${p.field} is required` },
  'item.referenceMissing': {
    status: 400,
    text: (p: { field: string; id: number }) => `${p.field}: the linked collection has no entry ${p.id}`,
  },
  'item.fileMissing': {
    status: 400,
    text: (p: { field: string; id: number }) => `${p.field}: there is no file ${p.id}`,
  },
  'data.unknownField': {
    status: 400,
    text: (p: { field: string; suggestion?: string }) =>
      `there is no field "${p.field}"${p.suggestion === undefined ? '' : `, did you mean "${p.suggestion}"?`}`,
  },
  'data.sourceFailed': {
    status: 502,
    text: (p: { source: string; reason: string }) => `the source "${p.source}" failed: ${p.reason}`,
  },
  'data.unknownOperator': {
    status: 400,
    text: (p: { field: string; operator: string }) =>
      `${p.field} cannot be compared with "${p.operator}"; there are ne, gt, gte, lt, lte, contains, icontains, startswith, endswith, in, isnull`,
  },
  'csv.errors': {
    status: 422,
    text: (p: { count: number }) => `the file has ${p.count} errors, nothing was imported`,
  },
  'csv.rowError': {
    status: 400,
    text: (p: { row: number; message: string }) => `row ${p.row}: ${p.message}`,
  },
  'csv.cellError': {
    status: 400,
    text: (p: { row: number; column: string; message: string }) =>
      `row ${p.row}, column ${JSON.stringify(p.column)}: ${p.message}`,
  },
  'csv.extraCells': {
    status: 400,
    text: (p: { cells: number; columns: number }) =>
      `the row has ${p.cells} cells, but the header has ${p.columns}`,
  },
  'csv.keyDuplicate': {
    status: 400,
    text: (p: { value: string; row: number }) => `${JSON.stringify(p.value)} stands in row ${p.row} already`,
  },
  'csv.keyAmbiguous': {
    status: 400,
    text: (p: { value: string }) => `several entries have ${JSON.stringify(p.value)}`,
  },
  'csv.idUnknown': { status: 400, text: (p: { id: string }) => `there is no entry ${p.id}` },
  'csv.noFileFor': { status: 400, text: (p: { value: string }) => `there is no file for ${p.value}` },
  'csv.singleton': {
    status: 400,
    text: () => 'the collection has exactly one entry, so no list can be imported into it',
  },
  'csv.columnMissing': { status: 400, text: (p: { column: string }) => `the column ${p.column} is missing` },
  'csv.tooManyRows': { status: 400, text: (p: { max: number }) => `the file has more than ${p.max} rows` },
  'csv.syntax': {
    status: 400,
    text: (p: { row: number; reason: string }) => `the file is not valid CSV in row ${p.row}: ${p.reason}`,
  },
  'common.invalidForm': {
    status: 400,
    text: (p: { reason: string }) => `the form is not valid: ${p.reason}`,
  },
  'block.fieldInvalid': {
    status: 400,
    text: (p: { field: string }) => `${p.field} must be a block tree, as a list or as JSON text`,
  },
  'block.treeInvalid': {
    status: 400,
    text: (p: BlockPlace) =>
      `${at(p)} no block tree: a list of blocks, each an object with "type", "params" and "slots", or with "global"`,
  },
  'block.typeMissing': { status: 400, text: (p: BlockPlace) => `${at(p)} a block without a type` },
  'block.typeUnknown': {
    status: 400,
    text: (p: BlockPlace & { type: string }) => `${at(p)} there is no snippet ${quoted(p.type)}`,
  },
  'block.notABlock': {
    status: 400,
    text: (p: BlockPlace & { type: string }) => `${at(p)} the snippet ${quoted(p.type)} is no block type`,
  },
  'block.paramRequired': {
    status: 400,
    text: (p: BlockPlace & { param: string }) => `${at(p)} the parameter "${p.param}" is required`,
  },
  'block.paramInvalid': {
    status: 400,
    text: (p: BlockPlace & { param: string; error: string }) =>
      `${at(p)} the parameter "${p.param}" ${p.error}`,
  },
  'block.slotUnknown': {
    status: 400,
    text: (p: BlockPlace & { slot: string; type: string }) =>
      `${at(p)} the block type ${quoted(p.type)} has no slot ${quoted(p.slot)}`,
  },
  'block.slotNotAllowed': {
    status: 400,
    text: (p: BlockPlace & { slot: string; type: string }) =>
      `${at(p)} the slot "${p.slot}" does not take blocks of the type ${quoted(p.type)}`,
  },
  'block.slotMax': {
    status: 400,
    text: (p: BlockPlace & { slot: string; max: number }) =>
      `${at(p)} the slot "${p.slot}" takes at most ${p.max} blocks`,
  },
  'block.tooDeep': {
    status: 400,
    text: (p: BlockPlace & { max: number }) => `${at(p)} more than ${p.max} levels of blocks`,
  },
  'block.tooLarge': {
    status: 400,
    text: (p: { max: number; field?: string }) => `the block tree is larger than ${p.max} bytes`,
  },
  'block.globalUnknown': {
    status: 400,
    text: (p: BlockPlace & { id: number }) => `${at(p)} there is no global block ${p.id}`,
  },
  'block.globalCycle': {
    status: 400,
    text: (p: { id: number; field?: string }) => `the global block ${p.id} would contain itself`,
  },
  'block.globalNotAllowed': {
    status: 400,
    text: (p: BlockPlace & { slot: string; id: number; type: string }) =>
      `${at(p)} the slot "${p.slot}" does not take the global block ${p.id}, which begins with blocks of the type ${quoted(p.type)}`,
  },
  'block.globalNowNotAllowed': {
    status: 400,
    text: (p: { count: number }) =>
      `the global block stands in slots that do not take its new blocks (${p.count} times)`,
  },
  'block.globalInUse': {
    status: 409,
    text: (p: { count: number; usage: readonly UsageEntry[] }) => `the global block is used ${p.count} times`,
  },
  'block.paramNameInvalid': {
    status: 400,
    text: (p: { name: string; type: string }) =>
      `parameter name ${JSON.stringify(p.name)} is not valid: a letter or "_", then letters, digits and "_", each name once, none of "block", "slots", "id"`,
  },
  'block.paramTypeInvalid': {
    status: 400,
    text: (p: { name: string; type: string }) =>
      `parameter "${p.name}" has the unknown type ${JSON.stringify(p.type)}`,
  },
  'block.paramLinkMissing': {
    status: 400,
    text: (p: { name: string; type: string }) =>
      `parameter "${p.name}" of type ${p.type} is not linked to an existing collection`,
  },
  'block.paramDefaultInvalid': {
    status: 400,
    text: (p: { name: string; type: string }) =>
      `the default of parameter "${p.name}" does not match its type ${p.type}`,
  },
  'block.slotNameInvalid': {
    status: 400,
    text: (p: { name: string; type: string }) =>
      `slot name ${JSON.stringify(p.name)} is not valid: the rules of parameter names`,
  },
  'translation.langInvalid': {
    status: 400,
    text: (p: { lang: string }) => `${JSON.stringify(p.lang)} is not a language tag (BCP 47)`,
  },
  'translation.noLang': {
    status: 400,
    text: (p: { page_id: number } | { item_id: number }) =>
      'page_id' in p
        ? `page ${p.page_id} has no language, neither its own nor one of a page above it`
        : `the collection of entry ${p.item_id} has no language`,
  },
  'translation.langTaken': {
    status: 409,
    text: (p: { lang: string }) => `the language versions include one in "${p.lang}" already`,
  },
  'translation.alreadyLinked': {
    status: 409,
    text: (p: { page_id: number } | { item_id: number }) =>
      `${'page_id' in p ? `page ${p.page_id}` : `entry ${p.item_id}`} belongs to other language versions; move takes it from them`,
  },
  'translation.collectionLinked': {
    status: 409,
    text: (p: { collection: string }) =>
      `entries of "${p.collection}" are language versions of others, so the collection needs a language`,
  },
  'storage.endpointInvalid': {
    status: 400,
    text: (p: { error: string }) => `the endpoint of the object storage is not valid: ${p.error}`,
  },
  'storage.unreachable': {
    status: 502,
    text: (p: { error: string }) => `the object storage cannot be reached: ${p.error}`,
  },
  'storage.authFailed': {
    status: 502,
    text: (p: { error: string }) => `the object storage does not accept the keys: ${p.error}`,
  },
  'storage.noBucket': {
    status: 502,
    text: (p: { error: string }) => `the object storage has no such bucket: ${p.error}`,
  },
  'storage.accessDenied': {
    status: 502,
    text: (p: { error: string }) => `the keys do not permit this in the bucket: ${p.error}`,
  },
  'storage.checkFailed': {
    status: 502,
    text: (p: { error: string }) => `the object storage does not work as expected: ${p.error}`,
  },
  'storage.migrationRequired': {
    status: 409,
    text: (p: { field: string }) => `${p.field} of the storage in use can be changed by a migration only`,
  },
  'storage.migrationRunning': { status: 409, text: () => 'a migration of the media storage is running' },
  'storage.migrationNotRunning': { status: 409, text: () => 'no migration of the media storage is running' },
  'storage.migrationTooLate': {
    status: 409,
    text: () => 'the migration has switched to the new storage, it cannot be canceled any more',
  },
  'storage.sameTarget': {
    status: 409,
    text: (p: { target: string }) => `media are stored there already (${p.target})`,
  },
} satisfies Record<string, ErrorEntry>;

/** Place in a block tree: dotted path such as `0.slots.main.1`, empty = the whole tree; of an entry its field. */
interface BlockPlace {
  path: string;
  field?: string;
}

function at({ path, field }: BlockPlace): string {
  const place = [field, path].filter((part) => part !== undefined && part !== '').join(' ');
  return `${place || 'blocks'}:`;
}

/** A text from outside, as far as a message shows it. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}

/** Most faults in the text of an error; `errors` lists all. */
const maxFaultsInText = 10;

function textOfFaults(faults: readonly FieldFault[]): string {
  const texts = faults.slice(0, maxFaultsInText).map(({ field, reason }) => `${field} ${reason}`);
  const more = faults.length - texts.length;
  return `${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Why a request has no caller, and what the caller can do. */
const refusalTexts = {
  missing: 'send the header "Authorization: Bearer <token>"',
  scheme: 'the Authorization header must read "Bearer <token>"',
  unknownToken: 'the token is not known here',
  tokenInAddress: '?token= counts for GET and HEAD only, send the header "Authorization: Bearer <token>"',
  sessionEnded: 'the session is not known here or has ended',
} as const;
export type RefusalReason = keyof typeof refusalTexts;

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

interface ErrorEntry {
  readonly status: number;
  text(params: never): string;
}

export type ErrorCode = keyof typeof table;
export type ErrorParams<Code extends ErrorCode> =
  Parameters<(typeof table)[Code]['text']> extends [infer Params] ? Params : Record<never, never>;

/** All codes, in alphabetical order. */
// Type boundary: the keys of an object literal are exactly its codes.
export const errorCodes = Object.keys(table).sort() as readonly ErrorCode[];

/** The HTTP status that goes with a code. */
export function errorStatus(code: ErrorCode): number {
  return table[code].status;
}

/** Parts of an error besides code and params. */
export interface ErrorExtras {
  /** Top-level members of the body beside `error`, `code` and `params`, as the specification names them. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly headers?: readonly (readonly [string, string])[];
  /** Where the specification has another status for the same code. */
  readonly status?: number;
  readonly cause?: unknown;
}

/** An error that is meant for the caller. Made by {@link apiError}. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly params: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: readonly (readonly [string, string])[];

  constructor(code: ErrorCode, text: string, params: Readonly<Record<string, unknown>>, extras: ErrorExtras) {
    super(text, { cause: extras.cause });
    this.code = code;
    this.status = extras.status ?? table[code].status;
    this.params = params;
    this.fields = extras.fields ?? {};
    this.headers = extras.headers ?? [];
  }

  /** The JSON body of the answer. */
  toBody(): Record<string, unknown> {
    return { error: this.message, code: this.code, params: this.params, ...this.fields };
  }
}

/** An error of the table, e.g. `throw apiError('page.slugTaken', { slug })`. */
export function apiError<Code extends ErrorCode>(
  code: Code,
  params: ErrorParams<Code> & object,
  extras: ErrorExtras = {},
): ApiError {
  // Type boundary: `params` has the type that the entry of this code demands.
  const entry = table[code] as { text(params: object): string };
  return new ApiError(code, entry.text(params), Object.fromEntries(Object.entries(params)), extras);
}

/** The same error with a text in front of its own, such as the place in a list. */
export function prefixed(error: ApiError, prefix: string): ApiError {
  const { code, message, params, fields, headers, cause } = error;
  return new ApiError(code, prefix + message, params, { fields, headers, cause });
}

/** The validation error of one field, by far the most frequent error. */
export function invalid(field: string, reason: string): ApiError {
  return apiError('common.invalid', { field, reason });
}

/** The validation error of several fields: `field` and `reason` are those of the first, `errors` lists all. */
export function invalidFields(faults: readonly FieldFault[]): ApiError {
  const [first = { field: 'body', reason: 'is not valid' }] = faults;
  return apiError('common.invalid', faults.length > 1 ? { ...first, errors: faults } : first);
}

/** The faults of a `common.invalid`; undefined for any other error. */
export function faultsIn(error: unknown): readonly FieldFault[] | undefined {
  if (!(error instanceof ApiError) || error.code !== 'common.invalid') return undefined;
  // Type boundary: `invalid` and `invalidFields` make all errors of this code.
  const { field, reason, errors } = error.params as unknown as FieldFault & {
    errors?: readonly FieldFault[];
  };
  return errors ?? [{ field, reason }];
}

/**
 * Runs every rule and returns the faults of all of them, so that a client learns all at once.
 *
 * @throws the first error of a rule that is no `common.invalid`
 */
export async function collectFaults(rules: readonly (() => unknown)[]): Promise<FieldFault[]> {
  const found: FieldFault[] = [];
  for (const rule of rules) {
    try {
      await rule();
    } catch (error) {
      const faults = faultsIn(error);
      if (faults === undefined) throw error;
      found.push(...faults);
    }
  }
  return found;
}

/** 503 `common.busy`. @param seconds when the caller should try again */
export function busy(seconds: number, cause?: unknown): ApiError {
  return apiError('common.busy', {}, { cause, headers: [['Retry-After', String(seconds)]] });
}

/** A 429. @param waitMs milliseconds until the caller may try again */
export function tooMany(code: 'common.rateLimited' | 'auth.tooManyAttempts', waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return apiError(code, { retry_after: seconds }, { headers: [['Retry-After', String(seconds)]] });
}

/** 409 `common.conflict` in the form of Core, "General rules". */
export function conflict(updatedAt: number): ApiError {
  return apiError(
    'common.conflict',
    { updated_at: updatedAt },
    { fields: { conflict: true, updated_at: updatedAt } },
  );
}
