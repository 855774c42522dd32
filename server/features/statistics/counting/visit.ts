import type { ViewEvent } from '../../../http/view-event-buffer.ts';

/** What statistics need to know of one request; plain data that crosses threads. */
export interface Visit extends Omit<ViewEvent, 'status' | 'cookie'> {
  readonly kind: 'page' | 'download';
}

/**
 * A visit as text. Many of them, joined by line breaks, are copied to another thread many times faster than objects.
 * No field can hold a line break: a request with one in its head is refused.
 */
export function visitText(
  visit: Omit<Visit, 'kind' | 'siteId'>,
  kind: Visit['kind'],
  siteId: number,
): string {
  const { at, times, host, path, referer, userAgent, peer, forwardedFor } = visit;
  return `${kind}\n${at}\n${times}\n${siteId}\n${host}\n${path}\n${referer}\n${userAgent}\n${peer}\n${forwardedFor}`;
}

const fieldsOfVisit = 10;

/** The visits of texts that are joined by line breaks. */
export function visitsIn(text: string): Visit[] {
  const fields = text.split('\n');
  const visits: Visit[] = [];
  for (let index = 0; index + fieldsOfVisit <= fields.length; index += fieldsOfVisit) {
    const [
      kind,
      at,
      times,
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
      times: Number(times),
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
  /** Whether another batch follows at once, with which this one may be written. */
  readonly more?: boolean;
}
