import { CompressedBody } from '../http/body/compressed-body.ts';
import { type EventStream, eventStreamType } from '../http/body/events.ts';
import type { Body } from '../http/body/parts.ts';
import type { StreamedBody } from '../http/body/streamed.ts';

/**
 * The answer of a handler if a JSON value with the status of the route is not enough: other headers, another
 * status, or a body that is already text or bytes.
 */
export class Reply {
  readonly body: Body | undefined;
  /** Default: the status of the route. */
  readonly status: number | undefined;
  readonly headers: readonly (readonly [string, string])[];
  /** In place of a body. */
  readonly events: EventStream | undefined;
  /** In place of a body. */
  readonly stream: StreamedBody | undefined;
  /** In place of a body. */
  readonly compressed: CompressedBody | undefined;
  /** See {@link cacheUntilChange}. */
  readonly lasts: boolean;
  /** Whether the bytes are always the same, so that they are compressed before they are sent for the first time. */
  readonly isFixed: boolean;

  private constructor(
    body: Reply['body'],
    extras: ReplyExtras & {
      readonly events?: EventStream;
      readonly stream?: StreamedBody;
      readonly compressed?: CompressedBody | undefined;
      readonly isFixed?: boolean;
    },
    lasts = false,
  ) {
    this.body = body;
    this.events = extras.events;
    this.stream = extras.stream;
    this.compressed = extras.compressed;
    this.status = extras.status;
    this.headers = extras.headers ?? [];
    this.lasts = lasts;
    this.isFixed = extras.isFixed ?? false;
  }

  /** A JSON value. */
  static json(value: unknown, extras: ReplyExtras = {}): Reply {
    return Reply.text(JSON.stringify(value), jsonType, extras);
  }

  /** A JSON value as bytes that are the same for everybody as long as the server runs. */
  static fixedJson(value: unknown, headers: NonNullable<ReplyExtras['headers']>): Reply {
    const body = Buffer.from(JSON.stringify(value));
    return new Reply(body, { headers: [['Content-Type', jsonType], ...headers], isFixed: true });
  }

  /** A JSON value as bytes, for answers that are sent more than once. */
  static jsonBytes(value: unknown): Reply {
    return Reply.madeJson(Buffer.from(JSON.stringify(value)));
  }

  /** JSON that is bytes already. */
  static madeJson(body: Body | CompressedBody): Reply {
    if (body instanceof CompressedBody)
      return new Reply(undefined, { headers: jsonHeaders, compressed: body });
    return new Reply(body, { headers: jsonHeaders });
  }

  /** The same answer with further headers. */
  withHeaders(headers: ReplyExtras['headers'] & object): Reply {
    const { status, compressed } = this;
    return new Reply(this.body, { status, headers: [...this.headers, ...headers], compressed });
  }

  /**
   * The same answer, which further requests of its address get too until content changes (`api-response-cache.ts`). It may
   * depend on path, query, content, and whether the caller has a credential; on nothing else.
   */
  cacheUntilChange(): Reply {
    const { status, headers, compressed } = this;
    return new Reply(this.body, { status, headers, compressed }, true);
  }

  /** A body as it is, with its content type. */
  static text(body: Body, contentType: string, extras: ReplyExtras = {}): Reply {
    return new Reply(body, {
      ...extras,
      headers: [['Content-Type', contentType], ...(extras.headers ?? [])],
    });
  }

  /**
   * A body with all its headers, its type too. The same list of headers each time costs least, because their text is
   * cached for the list.
   */
  static whole(body: Body | undefined, status: number, headers: NonNullable<ReplyExtras['headers']>): Reply {
    return new Reply(body, { status, headers });
  }

  /** A body that is read while it is sent, with its content type. */
  static stream(stream: StreamedBody, contentType: string, extras: ReplyExtras = {}): Reply {
    const headers = [['Content-Type', contentType], ...(extras.headers ?? [])] as const;
    return new Reply(undefined, { ...extras, headers, stream });
  }

  /** Server-sent events. */
  static events(events: EventStream): Reply {
    // The second header is for proxies that collect an answer before they pass it on.
    const headers = [
      ['Content-Type', eventStreamType],
      ['X-Accel-Buffering', 'no'],
    ] as const;
    return new Reply(undefined, { headers, events });
  }

  /** An answer without body; its default status is 204. */
  static empty(extras: ReplyExtras = {}): Reply {
    return new Reply(undefined, { status: 204, ...extras });
  }
}

export interface ReplyExtras {
  readonly status?: number | undefined;
  readonly headers?: readonly (readonly [string, string])[];
}

export const jsonType = 'application/json; charset=utf-8';

/** The headers of most answers. One shared array, because the text of the headers is cached per array. */
export const jsonHeaders: readonly (readonly [string, string])[] = [['Content-Type', jsonType]];
