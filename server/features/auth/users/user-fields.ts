import { characterCount } from '../../../../runtime/filters/shared/values.ts';
import { invalid } from '../../../base/errors.ts';
import { trimName } from '../../../base/text.ts';

/** The fields of a user besides the name with which they sign in. */
export interface PersonFields {
  readonly email: string;
  readonly name: string;
  readonly must_change_password: boolean;
}

const maxNameCharacters = 200;
/** RFC 5321, 4.5.3.1.3. */
const maxEmail = 254;
const plainAddress = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/;

/** The sent fields as they are stored. @throws ApiError `common.invalid` */
export function parsePersonFields(sent: Partial<PersonFields>): Partial<PersonFields> {
  const { email, name, must_change_password } = sent;
  return {
    ...(email === undefined ? {} : { email: parseEmail(email) }),
    ...(name === undefined ? {} : { name: parsePersonName(name) }),
    ...(must_change_password === undefined ? {} : { must_change_password }),
  };
}

function parseEmail(sent: string): string {
  const email = sent.trim();
  const isAddress = email.length <= maxEmail && plainAddress.test(email) && !/\p{Cc}/u.test(email);
  if (email !== '' && !isAddress) throw invalid('email', 'must be an address such as ada@example.com');
  return email;
}

function parsePersonName(sent: string): string {
  const name = trimName(sent);
  if (characterCount(name) > maxNameCharacters)
    throw invalid('name', `must not have more than ${maxNameCharacters} characters`);
  if (/\p{Cc}/u.test(sent)) throw invalid('name', 'must not contain control characters');
  return name;
}
