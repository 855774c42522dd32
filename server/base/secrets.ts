/**
 * Secrets that the server must be able to read again (keys of object storage, of webhooks, of mail), encrypted
 * with AES-256-GCM before they reach the database.
 *
 * The key comes from `IC_ENCRYPTION_KEY`, else from the file `secret.key` in the data directory, which is made
 * with the first secret and readable for the user of the server only. Without the key the secrets are lost:
 * everything else works, and whoever needs one gets `storage.secretUndecryptable`.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiError } from './errors.ts';
import { StartupError } from './startup-error.ts';

export class Secrets {
  /** Where the key comes from. */
  readonly source: 'env' | 'file';
  readonly #file: string;
  readonly #passphrase: string | undefined;
  #key: Buffer | undefined;

  /**
   * @param passphrase value of `IC_ENCRYPTION_KEY`, undefined if it is not set
   * @throws StartupError when there is a key file that is none
   */
  constructor(dataDir: string, passphrase: string | undefined) {
    this.source = passphrase === undefined ? 'file' : 'env';
    this.#file = join(dataDir, 'secret.key');
    this.#passphrase = passphrase;
    this.#key = passphrase === undefined ? readKeyFile(this.#file) : deriveKey(passphrase, 'incipit secrets');
  }

  /**
   * A key for another use, the same after each restart and on all nodes; undefined as long as there is no key file.
   *
   * @param purpose what it is for; keys of different purposes tell nothing of each other
   */
  deriveKey(purpose: string): Buffer | undefined {
    if (this.#passphrase !== undefined) return deriveKey(this.#passphrase, purpose);
    this.#key ??= readKeyFile(this.#file);
    return this.#key === undefined ? undefined : deriveKey(this.#key, purpose);
  }

  /**
   * Encrypts a secret. The result can be stored anywhere.
   *
   * @param purpose what the secret is for, e.g. `storage.s3`; it can be decrypted for this purpose only, so
   *   that nobody can make the server use one secret as another
   */
  seal(secret: string, purpose: string): string {
    this.#key ??= makeKeyFile(this.#file);
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${version}${sealed.toString('base64url')}`;
  }

  /** Decrypts what `seal` has returned. @throws ApiError `storage.secretUndecryptable` */
  open(sealed: string, purpose: string): string {
    const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
    if (this.source === 'file') this.#key ??= readKeyFile(this.#file);
    if (this.#key === undefined || !sealed.startsWith(version) || bytes.length < nonceBytes + tagBytes)
      throw apiError('storage.secretUndecryptable', {});
    const decipher = createDecipheriv(algorithm, this.#key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-tagBytes));
    try {
      return (
        decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
      );
    } catch {
      throw apiError('storage.secretUndecryptable', {});
    }
  }
}

const algorithm = 'aes-256-gcm';
/** So that a later format can be told from this one. */
const version = 'v1.';
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

function deriveKey(from: string | Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', from, '', purpose, keyBytes));
}

/** Undefined if there is no key file. */
function readKeyFile(file: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined;
    throw new StartupError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const digits = text.trim();
  if (!/^[\da-f]{64}$/.test(digits))
    throw new StartupError(
      `${file} is not a key of 64 hexadecimal digits: restore it from a backup or remove it`,
    );
  return Buffer.from(digits, 'hex');
}

/** Makes the key file as a whole, synced before anything is encrypted with it. An existing one is kept. */
function makeKeyFile(file: string): Buffer {
  const key = randomBytes(keyBytes);
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, `${key.toString('hex')}\n`);
    fsyncSync(descriptor);
    linkSync(draft, file);
    syncFolder(dirname(file));
  } catch (error) {
    if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'EEXIST') throw error;
  } finally {
    closeSync(descriptor);
    rmSync(draft, { force: true });
  }
  const made = readKeyFile(file);
  if (made === undefined) throw new Error(`${file} could not be made`);
  return made;
}

/** The name of the file must be on disk before the database holds what only this key can decrypt. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
