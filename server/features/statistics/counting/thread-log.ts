import type { Log } from '../../../base/log.ts';
import type { ThreadNews } from './messages.ts';

/** A log for the thread, whose lines the main thread writes. Of an error it tells the text. */
export function threadLog(tell: (news: ThreadNews) => void): Log {
  const at = (level: keyof Log) => (fields: object, message: string) =>
    tell({ kind: 'log', level, fields: plain(fields), message });
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

function plain(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? value.message : value]),
  );
}
