import type { ErrorTable } from './entry.ts';

/** Files and where they are stored. */
export const mediaErrors = {
  'file.tooLarge': { status: 413, text: (p: { max: number }) => `the file is larger than ${p.max} bytes` },
  'file.missing': { status: 400, text: () => 'the form has no file in its field "file"' },
  'file.imageInvalid': {
    status: 400,
    text: (p: { reason: string }) => `the image cannot be used: ${p.reason}`,
  },
  'storage.secretUndecryptable': {
    status: 409,
    text: () =>
      'a stored secret cannot be decrypted, the key of the server was lost or changed: enter it again',
  },
  'storage.endpointInvalid': {
    status: 400,
    text: (p: { error: string }) => `the endpoint of the object storage is not valid: ${p.error}`,
  },
  'storage.unreachable': {
    status: 502,
    text: (p: { error: string }) => `the object storage cannot be reached: ${p.error}`,
  },
  'storage.authFailed': {
    status: 502,
    text: (p: { error: string }) => `the object storage does not accept the keys: ${p.error}`,
  },
  'storage.noBucket': {
    status: 502,
    text: (p: { error: string }) => `the object storage has no such bucket: ${p.error}`,
  },
  'storage.accessDenied': {
    status: 502,
    text: (p: { error: string }) => `the keys do not permit this in the bucket: ${p.error}`,
  },
  'storage.checkFailed': {
    status: 502,
    text: (p: { error: string }) => `the object storage does not work as expected: ${p.error}`,
  },
  'storage.migrationRequired': {
    status: 409,
    text: (p: { field: string }) => `${p.field} of the storage in use can be changed by a migration only`,
  },
  'storage.migrationRunning': { status: 409, text: () => 'a migration of the media storage is running' },
  'storage.migrationNotRunning': { status: 409, text: () => 'no migration of the media storage is running' },
  'storage.migrationTooLate': {
    status: 409,
    text: () => 'the migration has switched to the new storage, it cannot be canceled any more',
  },
  'storage.otherNodes': {
    status: 409,
    text: (p: { node: string }) =>
      `media in local files are missing on other nodes: stop all nodes but this one, then start the migration again (${p.node})`,
  },
  'storage.sameTarget': {
    status: 409,
    text: (p: { target: string }) => `media are stored there already (${p.target})`,
  },
} satisfies ErrorTable;
