import type { ExportedSite } from '../../../runtime/export/site.ts';
import { invalid } from '../../base/errors.ts';

type Base = Pick<ExportedSite, 'scheme' | 'base'>;

/**
 * The address at which an export will lie: the given one, else that of the first domain. A slash at the end is
 * dropped.
 *
 * @throws ApiError `common.invalid`
 */
export function parseBase(sent: string | undefined, domains: readonly string[]): Base {
  if (sent === undefined || sent === '') return { scheme: 'https', base: domains[0] };
  const url = URL.parse(sent);
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain || url.search !== '' || url.hash !== '' || /[\s"'<>]/.test(sent))
    throw invalid('base', 'must be an address such as https://example.org, without query and fragment');
  const path = url.pathname.replace(/\/+$/, '');
  return { scheme: url.protocol === 'http:' ? 'http' : 'https', base: url.host + path };
}

/** The base as text, empty if none is known. */
export function baseText({ scheme, base }: Base): string {
  return base === undefined ? '' : `${scheme}://${base}`;
}
