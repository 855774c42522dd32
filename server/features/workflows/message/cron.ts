import { Cron } from 'croner';
import type { FieldFault } from '../../../base/errors.ts';

/** When something is due: five fields, in the time zone of the server or in `CRON_TZ=...`. */
export interface Schedule {
  /** The first time after a time, both in Unix milliseconds; undefined if there is none. */
  next(afterMs: number): number | undefined;
}

/** @throws Error that says what is wrong */
export function parseCron(text: string): Schedule {
  const match = /^(?:CRON_TZ=(\S+)\s+)?(\S+(?:\s+\S+){4})$/.exec(text.trim());
  const [, timezone, pattern] = match ?? [];
  if (pattern === undefined) throw new Error('must have five fields, such as "30 6 * * 1-5"');
  if (timezone !== undefined && !isTimeZone(timezone))
    throw new Error(`names the unknown time zone "${timezone}"`);
  const cron = new Cron(pattern, { mode: '5-part', ...(timezone === undefined ? {} : { timezone }) });
  return { next: (afterMs) => cron.nextRun(new Date(afterMs))?.getTime() };
}

/** The faults of a schedule in a setting; empty is no schedule. */
export function faultOfCron(field: string, text: string): FieldFault[] {
  if (text.trim() === '') return [];
  try {
    if (parseCron(text).next(Date.now()) !== undefined) return [];
    return [{ field, reason: 'is never due' }];
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    return [{ field, reason: /^(must|names)/.test(reason) ? reason : `is not a schedule: ${reason}` }];
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
