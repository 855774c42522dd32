import { ApiError } from '../../base/errors.ts';
import { readJsonBody } from '../json/json.ts';
import { type OutgoingAnswer, readBytes } from './answer.ts';
import { OutgoingError } from './errors.ts';

/** Commas and opening brackets of an answer; 10 MB of ordinary records have fewer. */
const maxElements = 1_000_000;

/**
 * Reads the body of an answer as JSON, a large one in slices. The reader is the one for requests: depth and
 * number of elements are limited, and `__proto__` is a member like any other.
 *
 * @throws OutgoingError `tooLarge` above `maxBytes`, `answerInvalid` if the body is not JSON
 */
export async function readJson(
  answer: Pick<OutgoingAnswer, 'body' | 'url'>,
  maxBytes: number,
): Promise<unknown> {
  const { bytes } = await readBytes(answer, maxBytes);
  return parseJsonAnswer(bytes, answer.url);
}

/** `readJson` of bytes that have been read. @param url the address that answered */
export async function parseJsonAnswer(bytes: Uint8Array, url: string): Promise<unknown> {
  try {
    return await readJsonBody(bytes, { maxElements });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new OutgoingError(
      'answerInvalid',
      new URL(url).host,
      `it is not JSON that can be used: ${error.message}`,
    );
  }
}
