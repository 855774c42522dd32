/**
 * What a handler answers with when a JSON value and the status of its route do not say it all: other headers, another
 * status, a body that is text or bytes already.
 */
export class Reply {
  readonly body: Uint8Array | string | undefined;
  /** Of the route unless given. */
  readonly status: number | undefined;
  readonly headers: readonly (readonly [string, string])[];

  private constructor(body: Reply['body'], extras: ReplyExtras) {
    this.body = body;
    this.status = extras.status;
    this.headers = extras.headers ?? [];
  }

  /** A JSON value. */
  static json(value: unknown, extras: ReplyExtras = {}): Reply {
    return Reply.text(JSON.stringify(value), jsonType, extras);
  }

  /** A JSON value in the bytes that are sent, for answers that are sent more than once. */
  static jsonBytes(value: unknown): Reply {
    return new Reply(Buffer.from(JSON.stringify(value)), { headers: jsonHeaders });
  }

  /** A body as it is, with its content type. */
  static text(body: Uint8Array | string, contentType: string, extras: ReplyExtras = {}): Reply {
    return new Reply(body, {
      ...extras,
      headers: [['Content-Type', contentType], ...(extras.headers ?? [])],
    });
  }

  /** No body; the status is 204 unless given. */
  static empty(extras: ReplyExtras = {}): Reply {
    return new Reply(undefined, { status: 204, ...extras });
  }
}

export interface ReplyExtras {
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
}

export const jsonType = 'application/json; charset=utf-8';

/** The headers of most answers; one array, so that what is made from it is made once. */
export const jsonHeaders: readonly (readonly [string, string])[] = [['Content-Type', jsonType]];
