import type { Log } from '../../server/base/log.ts';

/** A log that keeps its messages for the test. */
export function recordingLog(): Log & { readonly messages: string[] } {
  const messages: string[] = [];
  const keep = (_fields: object, message: string): void => {
    messages.push(message);
  };
  return { messages, error: keep, warn: keep, info: keep, debug: keep };
}
