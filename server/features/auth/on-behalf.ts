import { characterCount } from '../../../runtime/filters/shared/values.ts';
import { apiError } from '../../base/errors.ts';

const maxCharacters = 100;

/**
 * The person that a token writes for, from the header `X-IC-On-Behalf-Of`. The header is percent-decoded, or
 * used as it is if an escape is invalid. Control characters and repeated spaces are removed. Undefined if
 * nothing remains.
 *
 * @throws ApiError `batch.onBehalfTooLong` when more than 100 characters remain
 */
export function readOnBehalfOf(header: string): string | undefined {
  return parsePerson(decode(header));
}

/** The person of a text that is not encoded. @throws as {@link readOnBehalfOf} */
export function parsePerson(text: string): string | undefined {
  const person = text
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (characterCount(person) > maxCharacters) throw apiError('batch.onBehalfTooLong', { max: maxCharacters });
  return person === '' ? undefined : person;
}

function decode(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
