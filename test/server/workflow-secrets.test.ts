import { rmSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { Secrets } from '../../server/base/secrets.ts';
import { SecretValues, secretPurpose } from '../../server/features/workflows/secrets/values.ts';
import { makeTempDir } from '../support/server.ts';

const dataDir = makeTempDir();
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const secrets = new Secrets(dataDir, undefined);
const stored = (name: string, value: string) => ({
  name,
  value: secrets.seal(value, secretPurpose),
  updated_at: 1,
});
const valuesOf = (plain: Readonly<Record<string, string>>) =>
  new SecretValues(
    secrets,
    Object.entries(plain).map(([name, value]) => stored(name, value)),
  );

it('a value is there at once, also a new one, and gone when it is deleted', () => {
  const values = valuesOf({ A: 'x' });
  expect(values.value('A')).toBe('x');
  expect(values.value('B')).toBeUndefined();
  expect(values.value('__proto__')).toBeUndefined();
  values.use([stored('A', 'x'), stored('B', 'y')]);
  expect(values.value('B')).toBe('y');
  values.use([stored('B', 'y')]);
  expect(values.value('A')).toBeUndefined();
});

it.each([
  ['as it is', 'Authorization: a b+c/"d"&ü.', 'Authorization: ***.'],
  ['in an address', `?t=${encodeURIComponent('a b+c/"d"&ü')}&x`, '?t=***&x'],
  ['in a form', `t=${new URLSearchParams({ t: 'a b+c/"d"&ü' }).toString().slice(2)}&x`, 't=***&x'],
  ['in JSON', JSON.stringify({ t: 'a b+c/"d"&ü' }), '{"t":"***"}'],
  [
    'in JSON within JSON',
    JSON.stringify(JSON.stringify({ t: 'a b+c/"d"&ü' })),
    String.raw`"{\"t\":\"***\"}"`,
  ],
  ['several times', 'a b+c/"d"&ü a b+c/"d"&ü', '*** ***'],
  ['not a part of it', 'a b+c', 'a b+c'],
])('a value is hidden %s', (_place, text, masked) => {
  expect(valuesOf({ A: 'a b+c/"d"&ü' }).mask(text)).toBe(masked);
});

it('the longest value is hidden as a whole; patterns have no meaning', () => {
  const values = valuesOf({ A: 'abc', B: 'abcdef', C: '.*', D: '$&' });
  expect(values.mask('abcdef abc x .* $&')).toBe('*** *** x *** ***');
  values.use([stored('A', 'abc'), stored('C', '.*'), stored('D', '$&')]);
  expect(values.mask('abcdef')).toBe('***def');
  expect(valuesOf({}).mask('abc')).toBe('abc');
});

it('a value that cannot be decrypted fails where it is used, and hides nothing else', () => {
  const values = new SecretValues(secrets, [stored('A', 'abc'), { name: 'B', value: 'v1.x', updated_at: 1 }]);
  expect(() => values.value('B')).toThrow(expect.objectContaining({ code: 'storage.secretUndecryptable' }));
  expect(values.mask('abc')).toBe('***');
});
