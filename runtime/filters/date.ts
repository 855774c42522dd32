import { formatMoment, hasTimeLetter } from '../dates/format.ts';
import { type Moment, momentAt, parseMoment } from '../dates/moment.ts';
import { timeBetween } from '../dates/since.ts';
import { type Filter, type FilterEnv, valueFilter } from '../filter.ts';
import { toText } from '../text.ts';

/**
 * Filters for dates: Dates, `YYYY-MM-DD` and ISO date-times. Everything else prints nothing, as in Django.
 * A calendar date without a time shows as midnight in `date`, where Django fails.
 */
export const dateFilters: readonly Filter[] = [
  valueFilter('date', [0, 1], (value, env, format = 'DATE_FORMAT') => formatDate(value, toText(format), env)),
  valueFilter('time', [0, 1], (value, env, format = 'TIME_FORMAT') => formatTime(value, toText(format), env)),
  valueFilter('timesince', [0, 1], (value, env, until) => timeSince(value, env, until)),
  valueFilter('timeuntil', [0, 1], (value, env, from) => timeUntil(value, env, from)),
];

function formatDate(value: unknown, format: string, env: FilterEnv): string {
  const moment = parseMoment(value, env.timeZone);
  return moment === undefined ? '' : formatMoment(moment, format, env);
}

function formatTime(value: unknown, format: string, env: FilterEnv): string {
  const moment = parseMoment(value, env.timeZone);
  if (moment === undefined || (moment.dateOnly && hasTimeLetter(format, env))) return '';
  return formatMoment(moment, format, env);
}

function timeSince(value: unknown, env: FilterEnv, until: unknown): string {
  const pair = comparable(value, until, env);
  return pair === undefined ? '' : timeBetween(pair[0], pair[1], env.lang);
}

function timeUntil(value: unknown, env: FilterEnv, from: unknown): string {
  const pair = comparable(value, from, env);
  return pair === undefined ? '' : timeBetween(pair[1], pair[0], env.lang);
}

/**
 * The moment and the one it is compared with, by default now; undefined if one is no date, or if only one of
 * them belongs to a zone.
 */
function comparable(value: unknown, other: unknown, env: FilterEnv): readonly [Moment, Moment] | undefined {
  const moment = parseMoment(value, env.timeZone);
  if (moment === undefined) return undefined;
  const hasOther = other !== undefined && other !== null && toText(other) !== '';
  if (!hasOther) {
    const now = momentAt(env.now().getTime(), env.timeZone);
    return now && [moment, now];
  }
  const reference = parseMoment(other, env.timeZone);
  if (reference === undefined) return undefined;
  return (moment.instant === undefined) === (reference.instant === undefined)
    ? [moment, reference]
    : undefined;
}
