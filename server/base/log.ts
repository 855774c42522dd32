import pino from 'pino';
import type { LogLevel } from './log-level.ts';

/** The part of pino that the server uses: fields first, then a sentence. */
export interface Log {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/**
 * Log on standard error: JSON lines, or coloured text when standard error is a terminal.
 * Written synchronously, so that the last line before an exit is never lost.
 */
export async function createLog(level: LogLevel): Promise<Log> {
  const stream = process.stderr.isTTY
    ? (await import('pino-pretty')).default({ destination: 2, sync: true })
    : pino.destination({ dest: 2, sync: true });
  const log: Log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return log;
}
