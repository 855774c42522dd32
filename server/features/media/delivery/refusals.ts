import { ApiError } from '../../../base/errors.ts';
import { OutgoingError } from '../../../http/outgoing/errors.ts';
import { nothingThere } from '../../../http/plain-answers.ts';
import type { PublicResponse } from '../../../http/public-exchange.ts';

export const busy: PublicResponse = {
  status: '503 Service Unavailable',
  headers: [...nothingThere.headers, ['Retry-After', '1']],
  body: 'Too busy, please try again\n',
};

/** Object storage that does not answer is no defect of the server, and may work again soon. */
export function isStorageFailure(error: unknown): error is Error {
  return error instanceof OutgoingError || (error instanceof ApiError && error.code.startsWith('storage.'));
}

export const unavailable: PublicResponse = {
  status: '503 Service Unavailable',
  headers: [...nothingThere.headers, ['Retry-After', '10']],
  body: 'The file cannot be read at the moment, please try again\n',
};
