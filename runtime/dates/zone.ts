/** Offsets and names of time zones, from the data of `Intl`. */

const second = 1000;
const quarterHour = 15 * 60 * second;

/** Known offsets by zone and quarter of an hour. Since 1973 no zone changed its offset within a quarter. */
const offsets = new Map<string, Map<number, number>>();

/** Most quarters of an hour that are remembered per zone. */
const maxRemembered = 10_000;

/**
 * Seconds that the zone is ahead of UTC at an instant (milliseconds since 1970).
 *
 * @throws RangeError for unknown zones
 */
export function zoneOffset(timeZone: string, instant: number): number {
  if (timeZone === 'UTC') return 0;
  let ofZone = offsets.get(timeZone);
  if (ofZone === undefined) {
    ofZone = new Map();
    offsets.set(timeZone, ofZone);
  }
  const quarter = Math.floor(instant / quarterHour);
  let offset = ofZone.get(quarter);
  if (offset === undefined) {
    if (ofZone.size >= maxRemembered) ofZone.clear();
    offset = measureOffset(timeZone, quarter * quarterHour);
    ofZone.set(quarter, offset);
  }
  return offset;
}

/**
 * The instant at which clocks in the zone show a wall time (given as if it were UTC). The first instant if
 * clocks show the time twice; the instant an hour later if clocks skip the time. Both as in Python.
 */
export function toInstant(timeZone: string, wall: number): number {
  const before = zoneOffset(timeZone, wall - 24 * 60 * 60 * second) * second;
  const after = zoneOffset(timeZone, wall + 24 * 60 * 60 * second) * second;
  for (const offset of [before, after]) {
    if (zoneOffset(timeZone, wall - offset) * second === offset) return wall - offset;
  }
  return wall - before;
}

/** Whether clocks in the zone show the wall time twice, or never, because they are changed. */
export function isUnclear(timeZone: string, wall: number): boolean {
  const before = zoneOffset(timeZone, wall - 24 * 60 * 60 * second);
  const after = zoneOffset(timeZone, wall + 24 * 60 * 60 * second);
  if (before === after) return false;
  const holds = (offset: number) => zoneOffset(timeZone, wall - offset * second) === offset;
  return holds(before) === holds(after);
}

/** Whether daylight saving time holds at the instant. */
export function isDaylightSaving(timeZone: string, instant: number): boolean {
  const year = new Date(instant).getUTCFullYear();
  const january = zoneOffset(timeZone, Date.UTC(year, 0, 1));
  const july = zoneOffset(timeZone, Date.UTC(year, 6, 1));
  return zoneOffset(timeZone, instant) > Math.min(january, july);
}

/** The abbreviation of the zone at the instant, such as `CET`; the offset if there is no abbreviation. */
export function zoneName(timeZone: string, instant: number): string {
  if (timeZone === 'UTC') return 'UTC';
  const known = zoneAbbreviations.get(timeZone);
  if (known !== undefined) return known[isDaylightSaving(timeZone, instant) ? 1 : 0] ?? known[0];
  // Each locale knows the abbreviations of its own part of the world only.
  for (const locale of ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-IN', 'en-ZA', 'en-NZ', 'en-HK']) {
    const parts = formatterOf(timeZone, locale).formatToParts(instant);
    const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
    if (/^[A-Z]{2,5}$/.test(name)) return name;
  }
  return formatOffset(zoneOffset(timeZone, instant)).replace(/00$/, '');
}

/** Abbreviations that no English locale of `Intl` knows: in winter, and in summer where that differs. */
const zoneAbbreviations: ReadonlyMap<string, readonly [winter: string, summer?: string]> = new Map([
  ['Asia/Jakarta', ['WIB']],
  ['Asia/Jerusalem', ['IST', 'IDT']],
  ['Asia/Karachi', ['PKT']],
  ['Asia/Manila', ['PST']],
  ['Asia/Seoul', ['KST']],
  ['Asia/Shanghai', ['CST']],
  ['Asia/Tokyo', ['JST']],
  ['Europe/Dublin', ['GMT', 'IST']],
  ['Europe/Moscow', ['MSK']],
]);

/** An offset in seconds as `+0200`. */
export function formatOffset(seconds: number): string {
  const minutes = Math.floor(Math.abs(seconds) / 60);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${pad(minutes % 60)}`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string, locale: string): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat(locale, {
      timeZone,
      timeZoneName: 'short',
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(key, formatter);
  }
  return formatter;
}

function measureOffset(timeZone: string, instant: number): number {
  const fields = new Map(
    formatterOf(timeZone, 'en-US')
      .formatToParts(instant)
      .map((part) => [part.type, part.value]),
  );
  const field = (name: Intl.DateTimeFormatPartTypes) => Number(fields.get(name));
  const year = fields.get('era')?.startsWith('B') ? 1 - field('year') : field('year');
  const wall = new Date(0);
  wall.setUTCFullYear(year, field('month') - 1, field('day'));
  wall.setUTCHours(field('hour'), field('minute'), field('second'));
  return Math.round((wall.getTime() - instant) / second);
}
