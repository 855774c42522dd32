import type { View } from '../http/views.ts';

/** What statistics need to know of one request; plain data that crosses threads. */
export interface Visit extends Omit<View, 'status' | 'cookie'> {
  readonly kind: 'page' | 'download';
}

/**
 * Visits as one text, which is copied to another thread many times faster than objects. No field can hold a line
 * break: a request with one in its head is refused.
 */
export function visitsText(visits: readonly Visit[]): string {
  return visits
    .map(
      ({ kind, at, siteId, host, path, referer, userAgent, peer, forwardedFor }) =>
        `${kind}\n${at}\n${siteId}\n${host}\n${path}\n${referer}\n${userAgent}\n${peer}\n${forwardedFor}`,
    )
    .join('\n');
}

const fieldsOfVisit = 9;

export function visitsIn(text: string): Visit[] {
  const fields = text.split('\n');
  const visits: Visit[] = [];
  for (let index = 0; index + fieldsOfVisit <= fields.length; index += fieldsOfVisit) {
    const [
      kind,
      at,
      siteId,
      host = '',
      path = '',
      referer = '',
      userAgent = '',
      peer = '',
      forwardedFor = '',
    ] = fields.slice(index, index + fieldsOfVisit);
    visits.push({
      kind: kind === 'download' ? 'download' : 'page',
      at: Number(at),
      siteId: Number(siteId),
      host,
      path,
      referer,
      userAgent,
      peer,
      forwardedFor,
    });
  }
  return visits;
}

/** Visits, and what counting them depends on. */
export interface VisitBatch {
  readonly visits: readonly Visit[];
  /** The domains of the websites that exist, by ID. Visits of other websites are not counted. */
  readonly domains: ReadonlyMap<number, readonly string[]>;
  /** Whether countries are recorded. */
  readonly countries: boolean;
}
