import addressparser from 'nodemailer/lib/addressparser';
import { invalid } from '../../base/errors.ts';

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/**
 * Reads a list of addresses, such as `ada@example.com, Bob <bob@example.com>`. Control characters could begin
 * another header, and what is no plain address could name a recipient that the reader does not see. So could a
 * group: of `ada@example.comBcc: eve@example.com`, which is what remains of two lines, only the second address
 * would get the mail.
 *
 * @param field what the list is called in the error
 * @throws ApiError `common.invalid`
 */
export function parseAddresses(text: string, field: string, max: number): MailAddress[] {
  checkLine(text, field);
  const found = addressparser(text);
  if (found.length > max) throw invalid(field, `must have at most ${max} addresses`);
  return found.map(({ name, address = '' }) => {
    if (plainAddress.test(address) && address.length <= maxAddress) return { name, address };
    const shown = JSON.stringify((address || name).slice(0, 100));
    throw invalid(field, `must be addresses such as ada@example.com, not ${shown}`);
  });
}

/** @throws ApiError `common.invalid` for a text that has control characters */
export function checkLine(text: string, field: string): void {
  if (/\p{Cc}/u.test(text)) throw invalid(field, 'must not contain line breaks and other control characters');
}

/** Longest address by RFC 5321, 4.5.3.1.3. */
const maxAddress = 254;
const plainAddress = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/;
