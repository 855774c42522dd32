import { characterCount } from '../../../runtime/filters/shared/values.ts';
import { apiError } from '../../base/errors.ts';

const maxCharacters = 100;

/**
 * The person that a token writes for, from the header `X-IC-On-Behalf-Of`. The header is percent-decoded;
 * an invalid escape stays as it is. Control characters and repeated spaces are removed. Undefined if
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
  return header.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    let text = '';
    for (let start = 0; start < escapes.length; ) {
      const character = findCharacter(escapes, start);
      text += character?.text ?? escapes.slice(start, start + 3);
      start += character?.length ?? 3;
    }
    return text;
  });
}

/** The character whose escapes begin here: one to four bytes in UTF-8. */
function findCharacter(
  escapes: string,
  start: number,
): { readonly text: string; readonly length: number } | undefined {
  for (let length = 3; length <= 12; length += 3) {
    try {
      return { text: decodeURIComponent(escapes.slice(start, start + length)), length };
    } catch {
      // More bytes may complete the character.
    }
  }
  return undefined;
}
