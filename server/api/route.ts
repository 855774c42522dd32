import type { Static, TSchema } from 'typebox';
import type { Actor } from '../base/actor.ts';
import type { ErrorCode, FieldFault } from '../base/errors.ts';
import type { Action } from '../base/rights.ts';
import type { ApiRequest } from '../http/api-exchange.ts';
import type { Client } from '../http/client-address.ts';
import type { Form, FormLimits } from './multipart/multipart.ts';
import type { ReceiveUpload } from './multipart/upload.ts';
import type { Reply } from './reply.ts';

/** Access words of the specification (Core, "Access overview"). */
export type Access = 'public' | 'read' | 'write' | 'admin';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/**
 * What a route needs of the rights of its caller:
 *
 * - `nothing`: it is open to everybody whom its access admits.
 * - `objects`: reads show what the caller may read, and every change is checked when it is made (`decide.ts`).
 * - an action: the caller needs it on something. With `settings` and `users`, which have no objects, that is all.
 * - an action on a kind: the same, and the change is checked too.
 */
export type Needs = 'nothing' | 'objects' | Action | KindNeeds;

export interface KindNeeds {
  readonly action: Action;
  readonly kind: string;
  /** Whether the object has a working copy at `/copy`, for callers who may edit but not publish. */
  readonly hasCopy?: boolean;
}

/** The input of a handler: parsed and validated, independent of the transport. */
export interface Input<Params, Query, Body> {
  readonly actor: Actor;
  readonly client: Client;
  /** Host that the caller used, lower case. Code that uses it must check it (`isHost`). */
  readonly host: string;
  /** Scheme that the caller used, for absolute URLs. */
  readonly scheme: 'http' | 'https';
  /** What the client says of itself (`User-Agent`); empty if it says nothing. */
  readonly agent: string;
  /** The `Cookie` header; empty if there is none. */
  readonly cookie: string;
  /** The whole query without `?`, for endpoints that pass it on; `query` holds the declared parameters. */
  readonly rawQuery: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** What a client that asks for server-sent events has sent; undefined if it does not, or the route has no `events`. */
  readonly events: EventsRequest | undefined;
  /** Empty unless the route has `form`. */
  readonly form: Form;
  /** Reads a form with files of any size; undefined unless the route has `upload` and the request is a form. */
  readonly receive: ReceiveUpload | undefined;
}

/** A request for server-sent events. */
export interface EventsRequest {
  /** `Last-Event-ID`: where the client was when its connection ended; empty at the first time. */
  readonly lastId: string;
}

/** The server-sent events of a route. */
export interface EventsOfRoute {
  /** What they are, for the description of the API. */
  readonly about: string;
  /** Streams at the same time. */
  readonly most: number;
}

/**
 * One endpoint as data. Matching, access checks, validation, the error format, `405` with `Allow`, OpenAPI
 * and the access table test all come from this object.
 */
export interface Route<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> {
  readonly method: Method;
  /** Below `/api/v1`, with `{name}` placeholders, e.g. `/pages/{id}/move`. */
  readonly path: string;
  readonly access: Access;
  readonly needs: Needs;
  /** The route does what a stolen session must not do: sessions need a confirmation that is not old. */
  readonly isSensitive?: true;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Describes parameters of the query that the handler reads from `rawQuery`, because others have names of data. */
  readonly describedQuery?: TSchema;
  /** Whether the answer has the header `X-Total-Count`. */
  readonly countsAll?: true;
  /** The route takes a multipart form within these limits instead of JSON; `body` then only describes it. */
  readonly form?: FormLimits;
  /** The handler gets the JSON as it was sent and checks it, because its refusals have codes of their own. */
  readonly takesAnyBody?: true;
  /**
   * In place of `handle`, without promises: reads the request itself, its body too, and checks what else a route
   * checks: credential and CSRF. The access of such a route is `public`. Calls one of the functions once; may throw
   * instead.
   */
  takeOver?(
    request: ApiRequest,
    params: ReadonlyMap<string, string>,
    actor: Actor,
    done: (reply: Reply) => void,
    failed: (error: unknown) => void,
  ): void;
  /** The last placeholder of the path stands for all that follows, percent-encoding untouched. */
  readonly takesRest?: true;
  /**
   * The route also takes a multipart form, described by this schema; its handler reads it with `receive`. Then
   * `body` is undefined.
   */
  readonly upload?: TSchema;
  /** Content types of a file that may also be the whole body of the request, instead of a form. */
  readonly uploadTypes?: readonly string[];
  /**
   * Faults of rules in the fields of a body that fit the schema. Asked if other fields do not fit, so that the
   * error lists the faults of all fields.
   */
  moreFaults?(
    fields: Readonly<Record<string, unknown>>,
    params: Static<Params>,
  ): Promise<readonly FieldFault[]>;
  /** The body may be a list of new objects; messages about one of them begin with `item <index>: `. */
  readonly listsItems?: true;
  /** A field of the body that is cleaned of control characters, so that NUL may be in it. */
  readonly cleanedField?: string;
  /** True where no body means the same as `{}`. */
  readonly bodyOptional?: boolean;
  /** Schema of the answer. Without it the answer has no body. */
  readonly response?: TSchema;
  /** Content type of the answer, for the description of the API. Default `application/json`. */
  readonly produces?: string;
  /** Another content type of the answer, if it can also be had as a file. */
  readonly fileType?: string;
  /** If the answer is also there as server-sent events (`Accept: text/event-stream`). */
  readonly events?: EventsOfRoute;
  /** Errors of the handler, besides those that follow from access, parameters and body. */
  readonly errors?: readonly ErrorCode[];
  /** Status of a plain returned value; 204 is sent when the handler returns nothing. Default 200. */
  readonly status?: number;
  /** Another status of success, such as that of a dry run; with the same body, or without one if it is 204. */
  readonly otherStatus?: number;
  /** True if the answer has an ETag: a client that sends it as `If-None-Match` gets 304 without a body. */
  readonly isTagged?: true;
  /** Returns a value that is sent as JSON, nothing, or a `Reply` (`reply.ts`). */
  handle?(input: Input<Static<Params>, Static<Query>, Static<Body>>): unknown;
}

/** Gives a route literal the types of its own schemas. Tables hold routes of different types. */
export function defineRoute<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  route: Route<Params, Query, Body>,
): Route {
  return route;
}
