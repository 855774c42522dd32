/** What the process does for its isolate. Text in, text out; undefined for wrong input. */
export type Host = (name: HostCall, ...args: string[]) => string | undefined;

export type HostCall =
  | 'randomUUID'
  | 'base64.encode'
  | 'base64.decode'
  /** Address, base (empty for none): parts as JSON. */
  | 'url.parse'
  /** Address, name of a part, value: parts as JSON. */
  | 'url.change'
  /** Query: its pairs as JSON. */
  | 'query.parse'
  /** Pairs as JSON: a query. */
  | 'query.text'
  /** Sends a packet to the server at once. */
  | 'send';
