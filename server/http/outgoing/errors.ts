/**
 * Every way in which an outgoing request can fail. Callers map the codes to their own. Texts name the host and
 * the reason, never path, query, headers or body: those may hold secrets, and the texts go to logs and clients.
 */
const table = {
  urlInvalid: (reason: string) => `the address ${reason}`,
  forbidden: (reason: string) => `the target is refused: ${reason}`,
  unresolved: (reason: string) => `the host name cannot be resolved: ${reason}`,
  connectFailed: (reason: string) => `no connection: ${reason}`,
  tlsFailed: (reason: string) => `no secure connection: ${reason}`,
  timeout: (reason: string) => `no complete answer in time: ${reason}`,
  broken: (reason: string) => `the connection broke: ${reason}`,
  answerInvalid: (reason: string) => `the answer is not valid: ${reason}`,
  tooLarge: (reason: string) => `the answer is too large: ${reason}`,
  redirectRefused: (reason: string) => `a redirect is not followed: ${reason}`,
  requestInvalid: (reason: string) => `the request is not valid: ${reason}`,
  canceled: (reason: string) => `the request was canceled: ${reason}`,
} satisfies Record<string, (reason: string) => string>;

export type OutgoingErrorCode = keyof typeof table;

/** An outgoing request failed. The message may be shown to those who may see the host. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly code: OutgoingErrorCode;
  /** Host and port of the request that failed, after redirects; empty if the address has none. */
  readonly host: string;
  /** Why, without the host. */
  readonly reason: string;

  constructor(code: OutgoingErrorCode, host: string, reason: string) {
    super(`${host === '' ? '' : `${host}: `}${table[code](reason)}`);
    this.code = code;
    this.host = host;
    this.reason = reason;
  }
}

/** Turns what the HTTP library and the system throw into an `OutgoingError`. */
export function toOutgoingError(error: unknown, host: string): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const code = codeOf(error);
  const known = systemErrors[code];
  if (known !== undefined) return new OutgoingError(known[0], host, known[1]);
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO)/.test(code))
    return new OutgoingError('tlsFailed', host, code);
  if (error instanceof Error && error.name === 'HTTPParserError')
    return new OutgoingError('answerInvalid', host, 'it is not HTTP');
  if (/^(Z_|ERR_ZLIB|ERR_BROTLI|ERR__ERROR_)/.test(code))
    return new OutgoingError('answerInvalid', host, 'its compression is damaged');
  return new OutgoingError('broken', host, code === '' ? 'for an unknown reason' : code);
}

/** The code of an error; of several attempts to connect that of the first. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}

const systemErrors: Readonly<Record<string, readonly [OutgoingErrorCode, string]>> = {
  ENOTFOUND: ['unresolved', 'there is no such name'],
  EAI_AGAIN: ['unresolved', 'the name service does not answer'],
  EAI_FAIL: ['unresolved', 'the name service fails'],
  ENODATA: ['unresolved', 'the name has no address'],
  ECONNREFUSED: ['connectFailed', 'the host refuses connections on this port'],
  EHOSTUNREACH: ['connectFailed', 'there is no way to the host'],
  ENETUNREACH: ['connectFailed', 'there is no way to the network of the host'],
  EADDRNOTAVAIL: ['connectFailed', 'the address is not available'],
  EACCES: ['connectFailed', 'the system does not permit the connection'],
  EPERM: ['connectFailed', 'the system does not permit the connection'],
  ETIMEDOUT: ['timeout', 'the host does not answer'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'the host does not answer'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'the answer does not begin'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'the answer stops midway'],
  ECONNRESET: ['broken', 'the other side closed it'],
  EPIPE: ['broken', 'the other side closed it'],
  UND_ERR_SOCKET: ['broken', 'the other side closed it'],
  ERR_STREAM_PREMATURE_CLOSE: ['broken', 'the other side closed it'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['answerInvalid', 'its length is not the announced one'],
  UND_ERR_HEADERS_OVERFLOW: ['answerInvalid', 'its headers are too large'],
  UND_ERR_INVALID_ARG: ['requestInvalid', 'a header or the method has characters that are not permitted'],
  UND_ERR_NOT_SUPPORTED: ['requestInvalid', 'a header is not permitted'],
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: ['requestInvalid', 'the body does not have the announced length'],
  UND_ERR_DESTROYED: ['canceled', 'the server stops'],
  UND_ERR_CLOSED: ['canceled', 'the server stops'],
};
