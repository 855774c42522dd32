import { hkdfSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { readSigningKey, type SigningKey } from '../../../runtime/files/signature.ts';
import { StartupError } from '../../base/startup-error.ts';

/**
 * The key that signs addresses of private files, made at the first start. Without it all signed addresses end, so
 * it belongs to what is backed up.
 *
 * @throws StartupError if the file cannot be read or holds no key
 */
export function openSigningKey(file: string): SigningKey {
  try {
    if (!existsSync(file)) writeKey(file, `${randomBytes(32).toString('hex')}\n`);
    return readSigningKey(file);
  } catch (error) {
    throw new StartupError(`cannot use ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Whole or not at all, also if the process is killed here. */
function writeKey(file: string, text: string): void {
  const temporary = `${file}.new`;
  const handle = openSync(temporary, 'w', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}

/** Makes the key file of a node: all nodes with the same passphrase have the same key. */
export function shareSigningKey(file: string, passphrase = ''): void {
  const key = Buffer.from(hkdfSync('sha256', passphrase, '', 'incipit media addresses', 32));
  const text = `${key.toString('hex')}\n`;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeKey(file, text);
}
