import { ApiError } from '../../base/errors.ts';

/** The same error, which also says in which operation it happened. */
export function withIndex(error: unknown, index: number): unknown {
  if (!(error instanceof ApiError) || 'index' in error.fields) return error;
  const { code, message, params, fields, headers } = error;
  return new ApiError(
    code,
    `operation ${index}: ${message}`,
    { ...params, index },
    { fields: { ...fields, index }, headers, cause: error },
  );
}
