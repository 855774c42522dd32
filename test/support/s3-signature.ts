import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SignatureV4 } from '@smithy/signature-v4';

/** A body that was refused, as S3 would say it. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
}

/**
 * Checks the signature and the hash of a request with the signer of AWS, because the test server does not: it
 * accepts every signature of version 4.
 */
export async function refusalOfSignature(
  { method = '', url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: Buffer,
  keys: { readonly access_key: string; readonly secret_key: string },
): Promise<Refusal | undefined> {
  const { authorization = '', host = '' } = headers;
  const [, accessKey, region = '', names = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=/.exec(
      authorization,
    ) ?? [];
  if (accessKey !== keys.access_key) return { status: 403, code: 'InvalidAccessKeyId' };
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex'))
    return { status: 400, code: 'XAmzContentSHA256Mismatch' };
  const { pathname, searchParams } = new URL(url, `http://${host}`);
  const signed = names.split(';').map((name) => [name, String(headers[name] ?? '')]);
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId: keys.access_key, secretAccessKey: keys.secret_key },
    sha256: NodeHash,
    uriEscapePath: false,
  });
  const expected = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: host,
      path: canonicalPath(pathname),
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(signed),
    },
    { signingDate: dateOf(String(headers['x-amz-date'])) },
  );
  return expected.headers['authorization'] === authorization
    ? undefined
    : { status: 403, code: 'SignatureDoesNotMatch' };
}

/** `20260102T030405Z` as a date. */
function dateOf(text: string): Date {
  return new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function canonicalPath(path: string): string {
  const segments = path.split('/').map((segment) => encodeURIComponent(decodeURIComponent(segment)));
  return segments
    .join('/')
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** SHA-256, or HMAC with a secret, in the form that the signer wants. */
class NodeHash {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key = typeof secret === 'string' || secret === undefined ? secret : bytesOf(secret);
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', key);
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof data === 'string' ? data : bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('a hash is used once');
  }
}

function bytesOf(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
