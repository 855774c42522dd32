/** Server-sent events (HTML, "Server-sent events") as the body of an answer. Either `open` or `discard` is called. */
export class EventStream {
  /**
   * Begins to make the events, each as `eventText` or `comment` write it.
   *
   * @param signal ends them: the client has gone, or the server stops
   */
  readonly open: (signal: AbortSignal) => AsyncIterable<string>;
  /** Frees what the stream holds if nobody will read it. */
  readonly discard: () => void;
  /** Aborted when the events must end even for a client that does not take what was sent. */
  readonly over: AbortSignal | undefined;

  constructor(
    open: EventStream['open'],
    { discard = () => {}, over }: Partial<Pick<EventStream, 'discard' | 'over'>> = {},
  ) {
    this.open = open;
    this.discard = discard;
    this.over = over;
  }
}

export const eventStreamType = 'text/event-stream';

/** An event. Without `event` and `data` a client only learns the ID, which it sends when it connects again. */
export function eventText(fields: {
  readonly id?: number;
  readonly event?: string;
  readonly data?: unknown;
}): string {
  const { id, event, data } = fields;
  const lines = id === undefined ? [] : [`id: ${id}`];
  if (event !== undefined) lines.push(`event: ${event}`);
  // JSON has no line breaks, so one line is enough.
  if (data !== undefined) lines.push(`data: ${JSON.stringify(data)}`);
  return `${lines.join('\n')}\n\n`;
}

/** Tells a client nothing, but shows that the connection works. */
export const comment = ':\n\n';
