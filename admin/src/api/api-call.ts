/** A request of the API that another program can send. */
export interface ApiCall {
  readonly method: string;
  /** With the query, from `/api/v1` on. */
  readonly path: string;
  /** Undefined if there is none. */
  readonly body: unknown;
  /** A file in place of a body: its media type, or `multipart/form-data` where it is the field `file` of a form. */
  readonly fileType?: string;
}
