import { describe, expect, it } from 'vitest';
import { Passwords } from '../../../server/features/auth/password.ts';

describe('a password', () => {
  it('is hashed with argon2id, 19 MiB, two passes, one lane and its own salt', async () => {
    const passwords = new Passwords();
    const hashes = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
    for (const hash of hashes) {
      const [, type, version, parameters] = hash.split('$');
      expect([type, version, parameters?.split(',').sort()]).toEqual([
        'argon2id',
        'v=19',
        ['m=19456', 'p=1', 't=2'],
      ]);
    }
    expect(hashes[0]).not.toBe(hashes[1]);
    expect(await passwords.verify('correct horse', hashes[0])).toBe(true);
    expect(await passwords.verify('correct horsf', hashes[0])).toBe(false);
  });

  it('is always wrong for an unknown user', async () => {
    const passwords = new Passwords();
    for (const password of ['', 'correct horse', 'x'.repeat(2 ** 20)])
      expect(await passwords.verify(password, undefined)).toBe(false);
  });
});

describe('passwords of known and of unknown users', () => {
  it.each([true, false])(
    'are checked in the same queue of limited length (known user: %j)',
    async (exists) => {
      const passwords = new Passwords();
      const right = await passwords.hash('correct horse');
      const hash = exists ? right : undefined;
      // A check outside the queue would be faster, so checks for unknown users must take the same places in the queue.
      const calls = Array.from({ length: 210 }, () => passwords.verify('correct horse', hash));
      const outcomes = await Promise.allSettled(calls);
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused).toHaveLength(6);
      for (const { reason } of refused) {
        expect(reason).toMatchObject({ code: 'common.busy', headers: [['Retry-After', '1']] });
      }
      expect(await passwords.verify('correct horse', right)).toBe(true);
    },
  );
});
