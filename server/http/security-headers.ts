import type { Scheme } from './origin.ts';

export type Headers = readonly (readonly [string, string])[];

/**
 * Which answers a header is for (Data, Automation and Operations, "Security settings"): `site` are the pages
 * of websites, `all` is everything else.
 */
export type HeaderScope = 'all' | 'site';

/**
 * The headers that the security settings add to every answer. Only the front adds them, so no feature can
 * forget them, and a finished answer need not be made anew when the settings change. A header that an answer
 * has already stays as it is.
 */
export interface SecurityHeaders {
  /** The same arrays until the settings change, so that heads made with them can be kept. */
  readonly current: Readonly<Record<Scheme, Readonly<Record<HeaderScope, Headers>>>>;
}
