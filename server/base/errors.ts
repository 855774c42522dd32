import { accessErrors } from './error-codes/access.ts';
import { batchErrors } from './error-codes/batch.ts';
import { blockErrors } from './error-codes/blocks.ts';
import { bundleErrors } from './error-codes/bundles.ts';
import { changeSetErrors } from './error-codes/change-sets.ts';
import { collectionErrors } from './error-codes/collections.ts';
import { exportErrors } from './error-codes/export.ts';
import { extdbErrors } from './error-codes/extdb.ts';
import { flowNodeErrors } from './error-codes/flow-nodes.ts';
import { importErrors } from './error-codes/imports.ts';
import { mailErrors } from './error-codes/mail.ts';
import { mediaErrors } from './error-codes/media.ts';
import { pageErrors } from './error-codes/pages.ts';
import { type FieldFault, requestErrors } from './error-codes/requests.ts';
import { signInErrors } from './error-codes/sign-in.ts';
import { statisticsErrors } from './error-codes/statistics.ts';
import { trashErrors } from './error-codes/trash.ts';
import { webhookErrors } from './error-codes/webhooks.ts';
import { workflowErrors } from './error-codes/workflows.ts';

export type { MissingRight, RefusalReason } from './error-codes/access.ts';
export type { FieldFault, UsageEntry } from './error-codes/requests.ts';

/**
 * Every error the API answers with on purpose (Core, "Errors"): stable code, status, English text.
 * Texts may be improved, codes and params never change. Anything thrown that is not an `ApiError` is a defect
 * and becomes a 500 without detail.
 */
const table = {
  ...requestErrors,
  ...accessErrors,
  ...signInErrors,
  ...pageErrors,
  ...blockErrors,
  ...collectionErrors,
  ...mediaErrors,
  ...exportErrors,
  ...batchErrors,
  ...changeSetErrors,
  ...webhookErrors,
  ...mailErrors,
  ...extdbErrors,
  ...bundleErrors,
  ...statisticsErrors,
  ...workflowErrors,
  ...importErrors,
  ...flowNodeErrors,
  ...trashErrors,
};

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

  /** The same error with further headers. */
  withHeaders(headers: ApiError['headers']): ApiError {
    const { code, message, params, fields, status, cause } = this;
    return new ApiError(code, message, params, {
      fields,
      status,
      cause,
      headers: [...this.headers, ...headers],
    });
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
  const { code, message, params, fields, headers, status, cause } = error;
  return new ApiError(code, prefix + message, params, { fields, headers, status, cause });
}

/** The validation error of one field, by far the most frequent error. */
export function invalid(field: string, reason: string): ApiError {
  return apiError('common.invalid', { field, reason });
}

/** @throws ApiError `common.invalid` when a required text is empty or only white space */
export function requireText(field: string, text: string): void {
  if (text.trim() === '') throw invalid(field, 'must not be empty');
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
