import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { StartupError } from '../../base/startup-error.ts';
import type { TlsFiles } from './transport.ts';

/**
 * Certificate and key. uWebSockets.js does not say what is wrong with a file, so Node.js reads them for both
 * transports.
 *
 * @throws StartupError that names the file
 */
export function readTlsFiles({ certFile, keyFile }: TlsFiles): {
  readonly cert: Buffer;
  readonly key: Buffer;
} {
  const cert = readTlsFile(certFile, '-tls-cert');
  const key = readTlsFile(keyFile, '-tls-key');
  attempt(() => createSecureContext({ cert }), `the TLS file ${certFile} contains no valid certificate`);
  attempt(() => createSecureContext({ key }), `the TLS file ${keyFile} contains no valid private key`);
  attempt(
    () => createSecureContext({ cert, key }),
    `the private key in ${keyFile} does not belong to the certificate in ${certFile}`,
  );
  return { cert, key };
}

function readTlsFile(file: string, option: string): Buffer {
  return attempt(() => readFileSync(file), `option ${option}: cannot read the TLS file ${file}`);
}

function attempt<T>(work: () => T, message: string): T {
  try {
    return work();
  } catch (error) {
    throw new StartupError(message, { cause: error });
  }
}
