import { apiError } from '../errors.ts';
import { characterCount } from '../text.ts';

const maxCharacters = 100;

/**
 * The person a token writes for, from `X-IC-On-Behalf-Of`: percent-decoded (an invalid escape is taken as it is),
 * without control characters and repeated spaces. Nothing left means nobody.
 *
 * @throws ApiError `batch.onBehalfTooLong` when more than 100 characters remain
 */
export function readOnBehalfOf(header: string): string | undefined {
  const person = decode(header)
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
