/** Spans of days as the statistics name them: `YYYY-MM-DD`, both ends included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;

/** Lengths that one click chooses, in days. */
export const presets = [7, 30, 90, 365] as const;

/** The day on the calendar of this computer. */
export function dayText(date: Date): string {
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join(
    '-',
  );
}

/** The days that end with `last`. @param count 1 or more */
export function lastDays(count: number, last: string): Period {
  return { from: addDays(last, 1 - count), to: last };
}

/** As many days as the period has, just before it. */
export function periodBefore(period: Period): Period {
  return lastDays(countDays(period), addDays(period.from, -1));
}

export function countDays({ from, to }: Period): number {
  return (numberOf(to) - numberOf(from)) / dayMs + 1;
}

/** Every day of the period. */
export function listDays(period: Period): readonly string[] {
  return Array.from({ length: countDays(period) }, (_, index) => addDays(period.from, index));
}

/** Seconds since 1970 at which the day begins in UTC, which has no changes of clocks. */
export function toUnixSeconds(day: string): number {
  return numberOf(day) / 1000;
}

/** Whether the text names a day that exists. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(numberOf(text)) && addDays(text, 0) === text;
}

function addDays(day: string, count: number): string {
  return new Date(numberOf(day) + count * dayMs).toISOString().slice(0, 10);
}

function numberOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
