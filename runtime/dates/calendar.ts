/** Days since 1970 and their place in the calendar, without a Date for each. */

/** The day that was asked for last. Neighbours in a list often have the same. */
export const found = { days: 0, year: 1970, month: 0, day: 1 };

/**
 * Finds year, month (from 0) and day of a number of days since 1970, from the year 1 on. The years are counted
 * from March on, so that the leap day is the last of its year; 400 of them have 146,097 days.
 */
export function findDay(days: number): void {
  if (days === found.days) return;
  const sinceEra = days + 719_468;
  const era = quotient(sinceEra, 146_097);
  const dayOfEra = sinceEra - era * 146_097;
  const leapDays = quotient(dayOfEra, 1_460) - quotient(dayOfEra, 36_524) + quotient(dayOfEra, 146_096);
  const yearOfEra = quotient(dayOfEra - leapDays, 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + quotient(yearOfEra, 4) - quotient(yearOfEra, 100));
  const sinceMarch = quotient(5 * dayOfYear + 2, 153);
  found.days = days;
  found.day = dayOfYear - quotient(153 * sinceMarch + 2, 5) + 1;
  found.month = (sinceMarch + 2) % 12;
  found.year = yearOfEra + era * 400 + (found.month < 2 ? 1 : 0);
}

/** The whole part of a division of numbers that are not negative and below 2^31, as the processor divides. */
function quotient(dividend: number, divisor: number): number {
  return (dividend / divisor) | 0;
}

/**
 * The days since 1970 of a day from the year 1 on, which is the found one from now on; undefined if the calendar
 * has no such day.
 *
 * @param month from 0
 */
export function findDate(year: number, month: number, day: number): number | undefined {
  if (year < 1 || month < 0 || month > 11 || day < 1 || day > daysIn(year, month)) return undefined;
  const fromMarch = month < 2 ? year - 1 : year;
  const sinceMarch = (month + 10) % 12;
  const era = quotient(fromMarch, 400);
  const yearOfEra = fromMarch - era * 400;
  const dayOfYear = quotient(153 * sinceMarch + 2, 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + quotient(yearOfEra, 4) - quotient(yearOfEra, 100) + dayOfYear;
  found.days = era * 146_097 + dayOfEra - 719_468;
  found.day = day;
  found.month = month;
  found.year = year;
  return found.days;
}

function daysIn(year: number, month: number): number {
  if (month !== 1) return month === 3 || month === 5 || month === 8 || month === 10 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** 0 is Sunday. 1970 began on a Thursday. */
export function weekday(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}
