import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { readSigningKey, type SigningKey } from '../../runtime/files/signature.ts';
import { StartupError } from '../startup-error.ts';

/**
 * The key that signs addresses of private files, made at the first start. Without it all signed addresses end, so
 * it belongs to what is backed up.
 *
 * @throws StartupError if the file cannot be read or holds no key
 */
export function openSigningKey(file: string): SigningKey {
  try {
    if (!existsSync(file)) makeKey(file);
    return readSigningKey(file);
  } catch (error) {
    throw new StartupError(`cannot use ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Whole or not at all, also if the process is killed here. */
function makeKey(file: string): void {
  const temporary = `${file}.new`;
  const handle = openSync(temporary, 'w', 0o600);
  try {
    writeSync(handle, `${randomBytes(32).toString('hex')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}
