import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { Client } from './client.ts';
import type { Form, FormLimits } from './multipart.ts';

/** Who is calling. `none` is anonymous; a token carries its id and name for the version history. */
export type Actor =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'token';
      readonly id: number;
      readonly name: string;
      readonly canWrite: boolean;
      /** The person a writing request names in `X-IC-On-Behalf-Of`. */
      readonly onBehalfOf?: string;
    }
  | { readonly kind: 'master'; readonly onBehalfOf?: string }
  | {
      readonly kind: 'session';
      readonly userId: number;
      readonly name: string;
      /** What is stored of the session: SHA-256 of the cookie's value, hex. */
      readonly sessionHash: string;
    };

/** Access words of the specification (Core, "Access overview"). */
export type Access = 'public' | 'read' | 'write' | 'admin';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler gets: everything is parsed and validated, nothing of the transport shows. */
export interface Input<Params, Query, Body> {
  readonly actor: Actor;
  readonly client: Client;
  /** Host header as sent, lower case. What it is used in must check it (`isHost`). */
  readonly host: string;
  /** Scheme of absolute URLs: the one the caller used. */
  readonly scheme: 'http' | 'https';
  /** All that was sent behind `?`, for endpoints that pass it on; `query` holds what the route declares. */
  readonly rawQuery: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Empty unless the route has `form`. */
  readonly form: Form;
}

/**
 * One endpoint as data. Matching, access checks, validation, the error format, `405` with `Allow`, OpenAPI and
 * the access table test all come from this.
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
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Takes a multipart form within these limits instead of JSON; `body` then only describes it. */
  readonly form?: FormLimits;
  /** True where no body means the same as `{}`. */
  readonly bodyOptional?: boolean;
  /** Without it the answer has no body. */
  readonly response?: TSchema;
  /** What the answer is sent as, for the description of the API. Default `application/json`. */
  readonly produces?: string;
  /** Errors that the handler refuses with, beyond those that access, parameters and body bring along. */
  readonly errors?: readonly ErrorCode[];
  /** Status of a plain returned value; 204 is sent when the handler returns nothing. Default 200. */
  readonly status?: number;
  /** Gives a value that is sent as JSON, nothing, or a `Reply` (`reply.ts`) where more is to be said. */
  handle(input: Input<Static<Params>, Static<Query>, Static<Body>>): unknown;
}

/** Gives a route literal the types of its own schemas; tables hold routes of all kinds side by side. */
export function defineRoute<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  route: Route<Params, Query, Body>,
): Route {
  return route;
}
