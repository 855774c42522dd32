/** What is counted, as the numbers that the database has. An arrival is a page with the referrer that led to it. */
export const kinds = {
  total: 0,
  page: 1,
  referrer: 2,
  browser: 3,
  os: 4,
  device: 5,
  country: 6,
  download: 7,
  arrival: 8,
} as const;

export type Kind = (typeof kinds)[keyof typeof kinds];

/** The dimensions of the API. */
export const dimensions = ['referrer', 'browser', 'os', 'device', 'country'] as const;

export type Dimension = (typeof dimensions)[number];

/** Names that stand for something else than themselves; the API has them in German. */
export const placeholders = {
  /** No referrer. */
  direct: '(direkt)',
  /** A browser, system, device or country that cannot be told. */
  unknown: '(unbekannt)',
  /** Names beyond the limit of a day. */
  other: '(andere)',
} as const;
