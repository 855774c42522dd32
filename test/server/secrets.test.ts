import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Secrets } from '../../server/base/secrets.ts';
import { readConfig } from '../../server/config/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'incipit-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const newFolder = () => mkdtempSync(join(folder, String(++count)));
const keyFile = (dataDir: string) => join(dataDir, 'secret.key');
const undecryptable = expect.objectContaining({ code: 'storage.secretUndecryptable' });

it('a secret is read again, also after a restart, and never stored plainly', () => {
  const dataDir = newFolder();
  const sealed = new Secrets(dataDir, undefined).seal('s3cret ✓', 'a');
  expect(sealed).toMatch(/^v1\.[\w-]+$/);
  expect(Buffer.from(sealed.slice(3), 'base64url').includes('s3cret')).toBe(false);
  expect(new Secrets(dataDir, undefined).open(sealed, 'a')).toBe('s3cret ✓');
});

it('the same secret looks different each time', () => {
  const secrets = new Secrets(newFolder(), undefined);
  expect(secrets.seal('x', 'a')).not.toBe(secrets.seal('x', 'a'));
});

it('the key file is made with the first secret, for its owner only', () => {
  const dataDir = newFolder();
  const secrets = new Secrets(dataDir, undefined);
  expect(() => statSync(keyFile(dataDir))).toThrow('ENOENT');
  secrets.seal('x', 'a');
  expect(statSync(keyFile(dataDir)).mode & 0o777).toBe(0o600);
  expect(readFileSync(keyFile(dataDir), 'utf8')).toMatch(/^[\da-f]{64}\n$/);
  expect(secrets.source).toBe('file');
});

it('two that make the key file at the same time use the same key', () => {
  const dataDir = newFolder();
  const [one, other] = [new Secrets(dataDir, undefined), new Secrets(dataDir, undefined)];
  expect(other.open(one.seal('x', 'a'), 'a').concat(one.open(other.seal('y', 'a'), 'a'))).toBe('xy');
});

it('IC_ENCRYPTION_KEY takes the place of the file', () => {
  const dataDir = newFolder();
  const key = 'k'.repeat(32);
  const secrets = new Secrets(dataDir, readConfig([], { IC_ENCRYPTION_KEY: key }).encryptionKey);
  const sealed = secrets.seal('x', 'a');
  expect(secrets.source).toBe('env');
  expect(() => statSync(keyFile(dataDir))).toThrow('ENOENT');
  expect(new Secrets(newFolder(), key).open(sealed, 'a')).toBe('x');
  expect(() => new Secrets(dataDir, `${key}x`).open(sealed, 'a')).toThrow(undecryptable);
  expect(() => readConfig([], { IC_ENCRYPTION_KEY: 'short' })).toThrow(
    'IC_ENCRYPTION_KEY is shorter than 32 characters',
  );
});

it.each([
  ['the key is lost', (sealed: string) => sealed, 'a'],
  ['nothing is there', () => '', 'a'],
  ['the format is unknown', (sealed: string) => `v2.${sealed.slice(3)}`, 'a'],
  ['it is cut', (sealed: string) => sealed.slice(0, 20), 'a'],
] as const)('a secret cannot be decrypted: %s', (name, change, purpose) => {
  const dataDir = newFolder();
  const sealed = new Secrets(dataDir, undefined).seal('x', 'a');
  if (name === 'the key is lost') rmSync(keyFile(dataDir));
  expect(() => new Secrets(dataDir, undefined).open(change(sealed), purpose)).toThrow(undecryptable);
});

it('every changed bit is noticed, and so is another purpose', () => {
  const secrets = new Secrets(newFolder(), undefined);
  const sealed = secrets.seal('secret', 'a');
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (let position = 0; position < bytes.length; position++) {
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] ?? 0) ^ 1;
    expect(() => secrets.open(`v1.${changed.toString('base64url')}`, 'a')).toThrow(undecryptable);
  }
  expect(() => secrets.open(sealed, 'b')).toThrow(undecryptable);
});

it('a damaged key file is named, and not replaced', () => {
  const dataDir = newFolder();
  writeFileSync(keyFile(dataDir), 'abc');
  expect(() => new Secrets(dataDir, undefined)).toThrow(/secret\.key is not a key of 64 hexadecimal digits/);
  expect(readFileSync(keyFile(dataDir), 'utf8')).toBe('abc');
});
