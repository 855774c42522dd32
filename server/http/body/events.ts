/** Server-sent events (HTML, "Server-sent events") as the body of an answer. */
export class EventStream {
  /**
   * Begins to make the events, each as `eventText` or `comment` write it.
   *
   * @param signal ends them: the client has gone, or the server stops
   */
  readonly open: (signal: AbortSignal) => AsyncIterable<string>;

  constructor(open: EventStream['open']) {
    this.open = open;
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
