import { apiError, invalid } from '../../base/errors.ts';
import type { Outgoing } from '../../http/outgoing/client.ts';

/** Everything that is needed to reach a bucket. Made by `checkS3Config` only, so it is complete. */
export interface S3Config {
  /** Scheme, host and port. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Empty, or ends with `/`. */
  readonly prefix: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** The bucket is the first segment of the path, instead of a part of the host name. */
  readonly pathStyle: boolean;
}

/** The fields of a configuration as they were entered. */
export type S3Fields = Readonly<
  Record<'endpoint' | 'region' | 'bucket' | 'prefix' | 'access_key' | 'secret_key', string>
> & { readonly path_style: boolean };

/**
 * Checks entered fields, without sending anything.
 *
 * @throws ApiError `storage.endpointInvalid`, `common.invalid` with the field
 */
export function checkS3Config(fields: S3Fields, outgoing: Pick<Outgoing, 'faultOf'>): S3Config {
  const endpoint = readEndpoint(fields.endpoint);
  if (!bucketPattern.test(fields.bucket))
    throw invalid('s3.bucket', 'must have 3 to 63 characters: letters, digits, ".", "_" and "-"');
  if (fields.access_key === '') throw invalid('s3.access_key', 'is required');
  if (fields.secret_key === '') throw invalid('s3.secret_key', 'is required');
  for (const field of ['access_key', 'secret_key', 'region'] as const)
    if (!/^[\x21-\x7e]*$/.test(fields[field]))
      throw invalid(`s3.${field}`, 'must have no spaces and no characters beyond ASCII');
  const config = {
    endpoint: endpoint.origin,
    region: fields.region === '' ? defaultRegion : fields.region,
    bucket: fields.bucket,
    prefix: readPrefix(fields.prefix),
    accessKey: fields.access_key,
    secretKey: fields.secret_key,
    pathStyle: fields.path_style,
  };
  const fault = outgoing.faultOf(bucketUrl(config));
  if (fault !== undefined) throw apiError('storage.endpointInvalid', { error: fault.message });
  return config;
}

/** Address of a bucket, without a final slash. */
export function bucketUrl({
  endpoint,
  bucket,
  pathStyle,
}: Pick<S3Config, 'endpoint' | 'bucket' | 'pathStyle'>): string {
  if (pathStyle) return `${endpoint}/${bucket}`;
  const { protocol, host } = new URL(endpoint);
  return `${protocol}//${bucket}.${host}`;
}

/** The region that services without regions expect. */
const defaultRegion = 'us-east-1';

const bucketPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/;

/** Without a scheme https is assumed. */
function readEndpoint(text: string): URL {
  const refuse = (error: string) => apiError('storage.endpointInvalid', { error });
  if (text === '') throw refuse('it is empty');
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null) throw refuse('it is not a URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse('it must begin with https:// or http://');
  if (url.username !== '' || url.password !== '') throw refuse('it must not contain a user name');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw refuse('it must be scheme, host and port only, the bucket is a field of its own');
  return url;
}

function readPrefix(text: string): string {
  const prefix = text.replace(/^\/+|\/+$/g, '');
  const segments = prefix === '' ? [] : prefix.split('/');
  if (prefix.length > 200 || segments.some((segment) => !/^(?!\.{1,2}$)[\w.!*'()-]+$/.test(segment)))
    throw invalid(
      's3.prefix',
      "must be names of letters, digits and ._-!*'() between slashes, at most 200 characters",
    );
  return prefix === '' ? '' : `${prefix}/`;
}
