import { hasSameOrigin } from '../base/origin.ts';
import type { Secrets } from '../base/secrets.ts';
import type { Outgoing } from '../http/outgoing/client.ts';
import type { S3Settings, S3Update } from './model.ts';
import { checkS3Config, type S3Config, type S3Fields } from './s3/config.ts';
import type { StoredS3 } from './store.ts';

/** What the secret of the object storage is encrypted for. */
const secretPurpose = 'storage.s3';

const nothing: StoredS3 = {
  endpoint: '',
  region: '',
  bucket: '',
  prefix: '',
  access_key: '',
  path_style: false,
  secret: '',
};

/**
 * Entered fields as they are stored, with the secret encrypted. Fields that are not entered are those of `base`,
 * else empty. Without a secret, the one of `base` or of `stored` stays as long as
 * the access key and the origin of the endpoint are the same.
 */
export function entered(
  update: S3Update,
  {
    base,
    stored,
    secrets,
  }: { readonly base?: StoredS3 | null; readonly stored: StoredS3 | null; readonly secrets: Secrets },
): StoredS3 {
  const { secret_key, ...fields } = merged(update, base ?? nothing);
  const kept = stored !== null && isSameAccess(stored, fields) ? stored.secret : '';
  return { ...fields, secret: secret_key === '' ? kept : secrets.seal(secret_key, secretPurpose) };
}

/** Whether a stored secret would be sent to another address. */
export function hasOtherTarget(stored: StoredS3, { endpoint }: Pick<S3Fields, 'endpoint'>): boolean {
  return stored.secret !== '' && stored.endpoint !== '' && !hasSameOrigin(stored.endpoint, endpoint);
}

/** A secret that was entered before its endpoint belongs to none yet. */
function isSameAccess(stored: StoredS3, { access_key, endpoint }: Omit<S3Fields, 'secret_key'>): boolean {
  if (stored.access_key !== access_key) return false;
  return stored.endpoint === '' || hasSameOrigin(stored.endpoint, endpoint);
}

/** The stored fields with the secret, checked. @throws ApiError that names what is wrong */
export function parseS3Config(
  { secret, ...fields }: StoredS3,
  secrets: Secrets,
  outgoing: Outgoing,
): S3Config {
  const secretKey = secret === '' ? '' : secrets.open(secret, secretPurpose);
  return checkS3Config({ ...fields, secret_key: secretKey }, outgoing);
}

/** Whether all texts are empty, which deletes a draft. */
export function isEmpty({ path_style: _, ...texts }: StoredS3): boolean {
  return Object.values(texts).every((text) => text === '');
}

/** What the API shows of it. */
export function presentS3({ secret, ...fields }: StoredS3): S3Settings {
  return { ...fields, secret_set: secret !== '' };
}

/** Only fields that are known: what else is sent may be a secret under a wrong name. */
function merged(update: S3Update, base: StoredS3): S3Fields {
  const { secret: _, ...known } = { ...nothing, secret_key: '' };
  const given: Readonly<Record<string, unknown>> = { ...base, secret_key: '', ...update };
  const values = Object.keys(known).map((name) => {
    const value = given[name];
    return [name, typeof value === 'string' ? value.trim() : value];
  });
  // Type boundary: the entries of an object that has all fields.
  return Object.fromEntries(values) as S3Fields;
}
