import { StartupError } from '../../base/startup-error.ts';
import type { Changes } from '../../changes/changes.ts';
import { deleteAllFactors } from './factors/service.ts';
import { generatePassword, type Passwords } from './password.ts';
import { findUserByName } from './users/user-store.ts';
import { replacePassword } from './users/users.ts';

/**
 * Gives a user a new random password and ends all sessions of the user (`-reset-password`). A server that runs
 * on the same database refuses the old sessions at once, because it reads the session with every request.
 *
 * @param withFactors whether second factors and recovery codes go too (`-reset-factors`)
 * @throws StartupError when there is no such user
 */
export async function resetPassword(
  { changes, passwords }: { readonly changes: Changes; readonly passwords: Passwords },
  name: string,
  withFactors: boolean,
): Promise<{ readonly username: string; readonly password: string }> {
  const password = generatePassword();
  const passwordHash = await passwords.hash(password);
  return changes.changeUnversioned({ kind: 'none' }, async (change) => {
    const user = await findUserByName(change.tx, name);
    if (user === undefined) throw new StartupError(`there is no user ${JSON.stringify(name)}`);
    await replacePassword(change, user.id, passwordHash, '');
    if (withFactors) await deleteAllFactors(change, user.id);
    return { username: user.username, password };
  });
}
