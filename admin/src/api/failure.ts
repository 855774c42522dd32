/** A request that did not succeed: an error of the API, or no answer at all. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  /** 0 if there was no answer. */
  readonly status: number;
  /** Stable code of the API; `offline` if there was no answer, empty if the API sent none. */
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The whole body, for errors with more members, such as `warnings`. */
  readonly body: Readonly<Record<string, unknown>>;

  /** The body of the request, which paths of refused fields lead into. */
  readonly sent: unknown;

  constructor(status: number, body: Readonly<Record<string, unknown>>, sent?: unknown) {
    super(typeof body['error'] === 'string' ? body['error'] : `status ${status}`);
    this.status = status;
    this.code = typeof body['code'] === 'string' ? body['code'] : '';
    this.params = toRecord(body['params']);
    this.body = body;
    this.sent = sent;
  }

  static offline(): ApiFailure {
    return new ApiFailure(0, { code: 'offline' });
  }
}

/** A value as a record of fields; empty for everything else. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
