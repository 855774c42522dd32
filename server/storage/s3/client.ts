import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { Clock } from '../../base/clock.ts';
import { type OutgoingAnswer, readBytes } from '../../http/outgoing/answer.ts';
import type { Outgoing, OutgoingTimeouts } from '../../http/outgoing/client.ts';
import { OutgoingError } from '../../http/outgoing/errors.ts';
import { bucketUrl, type S3Config } from './config.ts';
import {
  errorOfFault,
  errorOfOutgoing,
  isPassing,
  isPassingError,
  readFault,
  type S3Fault,
} from './errors.ts';

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Without the prefix of the configuration; undefined for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
  /** Statuses besides 2xx that are no errors; their answer is returned without a body. */
  readonly expected?: readonly number[];
}

/** A body whose size and hash are known before it is sent, so that the service can refuse one that is damaged. */
export interface S3Body {
  readonly size: number;
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string;
  /** The bytes from the start; called once for each attempt. */
  open(): Readable | string;
}

export interface S3ClientOptions {
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  /** Pauses before further attempts of a request that failed for a moment, in milliseconds. */
  readonly retriesMs?: readonly number[];
  readonly timeouts?: Partial<OutgoingTimeouts>;
  /** Ends all requests of this client. */
  readonly signal?: AbortSignal;
}

const defaultRetriesMs = [200, 1000];
/** The whole of a request has no limit, because objects have any size; each silence has one. */
const defaultTimeouts: Partial<OutgoingTimeouts> = {
  headersMs: 30_000,
  idleMs: 30_000,
  totalMs: Number.POSITIVE_INFINITY,
};

/**
 * Requests to one bucket, signed with version 4 of the signatures of AWS. All requests can be repeated, so one
 * that fails for a moment (a broken connection, a busy service) is sent again.
 */
export class S3Client {
  readonly #config: S3Config;
  readonly #options: S3ClientOptions;
  /** Derived keys of the signature, by day. */
  #keys = new Map<string, ArrayBuffer>();

  constructor(config: S3Config, options: S3ClientOptions) {
    this.#config = config;
    this.#options = options;
  }

  /**
   * Sends a request. The caller must read the body of the answer, or end it.
   *
   * @throws ApiError `storage.unreachable` and the other codes of this storage
   */
  async send(request: S3Request): Promise<OutgoingAnswer> {
    const retriesMs = this.#options.retriesMs ?? defaultRetriesMs;
    for (let attempt = 0; ; attempt++) {
      const retryMs = retriesMs[attempt];
      try {
        const answer = await this.#sendOnce(request);
        if (isGood(answer.status, request)) return answer;
        const fault = await readS3Fault(answer);
        if (retryMs === undefined || !isPassing(fault.status)) throw errorOfFault(fault);
      } catch (error) {
        if (!(error instanceof OutgoingError)) throw error;
        if (retryMs === undefined || !isPassingError(error)) throw errorOfOutgoing(error);
      }
      await this.#pause(retryMs);
    }
  }

  /** Sends a request whose answer has a short body. @throws as `send` */
  async sendForText(request: S3Request): Promise<string> {
    return textOf(await this.send(request));
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#options;
    // An aborted pause is followed by an attempt that fails at once.
    await pause(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  }

  async #sendOnce({ method, key, query = {}, headers = {}, body }: S3Request): Promise<OutgoingAnswer> {
    const url = this.#urlOf(key, query);
    const signed = await this.#sign(method, url, {
      ...headers,
      'x-amz-content-sha256': body?.sha256 ?? emptySha256,
    });
    const length: Record<string, string> = body === undefined ? {} : { 'content-length': String(body.size) };
    return this.#options.outgoing.send({
      method,
      url,
      headers: { ...signed, ...length },
      ...(body === undefined ? {} : { body: body.open() }),
      decode: false,
      timeouts: { ...defaultTimeouts, ...this.#options.timeouts },
      ...(this.#options.signal === undefined ? {} : { signal: this.#options.signal }),
    });
  }

  #urlOf(key: string | undefined, query: Readonly<Record<string, string>>): string {
    const path = key === undefined ? '' : encodePath(`${this.#config.prefix}${key}`);
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    return `${bucketUrl(this.#config)}/${path}${search === '' ? '' : `?${search}`}`;
  }

  async #sign(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const { accessKey, secretKey, region } = this.#config;
    const datetime = new Date(this.#options.clock()).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
    if (this.#keys.size > 1) this.#keys = new Map();
    const signer = new AwsV4Signer({
      method,
      url,
      headers,
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
      datetime,
      cache: this.#keys,
    });
    return Object.fromEntries((await signer.sign()).headers);
  }
}

const emptySha256 = createHash('sha256').digest('hex');

/** Longest answer that is read as text: a listing of 1,000 names. */
const maxTextBytes = 4 * 2 ** 20;

/** Text as a body. */
export function textBody(text: string): S3Body {
  return {
    size: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    open: () => text,
  };
}

function isGood(status: number, { expected = [] }: S3Request): boolean {
  return (status >= 200 && status < 300) || expected.includes(status);
}

/** Reads what an answer with an error says. */
export async function readS3Fault(answer: OutgoingAnswer): Promise<S3Fault> {
  const { bytes } = await readBytes(answer, 65_536, 'truncate');
  return readFault(answer.status, bytes.toString('utf8'));
}

async function textOf(answer: OutgoingAnswer): Promise<string> {
  try {
    return (await readBytes(answer, maxTextBytes)).bytes.toString('utf8');
  } catch (error) {
    throw error instanceof OutgoingError ? errorOfOutgoing(error) : error;
  }
}

/** Percent-encodes as the signature expects it. */
function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replaceAll(
        /[!'()*]/g,
        (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/');
}
