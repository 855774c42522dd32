import { XMLParser } from 'fast-xml-parser';
import { type ApiError, apiError } from '../../base/errors.ts';
import type { OutgoingError, OutgoingErrorCode } from '../../http/outgoing/errors.ts';

type StorageErrorCode =
  | 'storage.unreachable'
  | 'storage.authFailed'
  | 'storage.noBucket'
  | 'storage.accessDenied'
  | 'storage.checkFailed'
  | 'storage.endpointInvalid';

/** What an answer with an error says. */
export interface S3Fault {
  readonly status: number;
  /** Name of the error, such as `NoSuchKey`; empty if the answer names none, as for HEAD. */
  readonly name: string;
  readonly message: string;
}

/** Reads the body of an error. Services differ, so a body that cannot be read is no error of its own. */
export function readFault(status: number, body: string): S3Fault {
  const [, name = ''] = /<Code>\s*([\w.-]{1,100})\s*<\/Code>/.exec(body) ?? [];
  const [, message = ''] = /<Message>([^<]{0,500})<\/Message>/.exec(body) ?? [];
  return { status, name, message: message.trim() };
}

/** The error for the caller of an endpoint or of a storage. */
export function errorOfFault(fault: S3Fault): ApiError {
  const code = codesByName[fault.name] ?? codesByStatus[fault.status] ?? 'storage.checkFailed';
  const parts = [`status ${fault.status}`, fault.name, fault.message].filter((part) => part !== '');
  return apiError(code, { error: parts.join(', ') });
}

export function errorOfOutgoing(error: OutgoingError): ApiError {
  return apiError(
    codesOfOutgoing[error.code] ?? 'storage.unreachable',
    { error: error.message },
    { cause: error },
  );
}

/** Whether the same request may succeed a moment later. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Whether the same request may succeed a moment later. */
export function isPassingError({ code }: OutgoingError): boolean {
  return code === 'broken' || code === 'timeout' || code === 'connectFailed' || code === 'answerInvalid';
}

const codesByName: Readonly<Record<string, StorageErrorCode>> = {
  InvalidAccessKeyId: 'storage.authFailed',
  SignatureDoesNotMatch: 'storage.authFailed',
  InvalidToken: 'storage.authFailed',
  ExpiredToken: 'storage.authFailed',
  RequestTimeTooSkewed: 'storage.authFailed',
  AuthorizationHeaderMalformed: 'storage.authFailed',
  NoSuchBucket: 'storage.noBucket',
  InvalidBucketName: 'storage.noBucket',
  AccessDenied: 'storage.accessDenied',
  AllAccessDisabled: 'storage.accessDenied',
};

const codesByStatus: Readonly<Record<number, StorageErrorCode>> = {
  401: 'storage.authFailed',
  403: 'storage.accessDenied',
};

const codesOfOutgoing: { readonly [Code in OutgoingErrorCode]?: StorageErrorCode } = {
  urlInvalid: 'storage.endpointInvalid',
  forbidden: 'storage.endpointInvalid',
  requestInvalid: 'storage.checkFailed',
  answerInvalid: 'storage.checkFailed',
  tooLarge: 'storage.checkFailed',
};

/** The XML of listings and uploads, as plain values. Every text stays a text. */
export function parseXml(text: string): unknown {
  try {
    return parser.parse(text, true);
  } catch {
    throw apiError('storage.checkFailed', { error: 'its answer is not XML' });
  }
}

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  // For `&#x27;` and the like.
  htmlEntities: true,
  isArray: (name) => name === 'Contents' || name === 'Upload',
});
