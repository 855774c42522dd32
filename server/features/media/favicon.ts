import { isHost, resolveSite, type SiteTable, siteTable } from '../../../runtime/content/site-host.ts';
import { findFavicon, listDomains } from '../../content/sites/service.ts';
import type { Parts } from '../../feature.ts';
import { nothingThere } from '../../http/plain-answers.ts';
import type { PublicHandler } from '../../http/public-exchange.ts';
import type { MediaDelivery } from './delivery/index.ts';

/** /favicon.ico: the icon of the website of the host, with the icon's own type (Core, "Public non-API routes"). */
export function faviconHandler(
  { reader, version }: Pick<Parts, 'reader' | 'version'>,
  delivery: MediaDelivery,
): PublicHandler {
  let sites: Promise<SiteTable> | undefined;
  version.onMove(() => {
    sites = undefined;
  });
  return (request) => {
    if (request.path !== '/favicon.ico' || !isHost(request.host)) return nothingThere;
    const { host } = request;
    // Headers are read before the first wait.
    const answer = delivery.plan(request);
    sites ??= listDomains(reader).then(siteTable);
    return sites.then(async (table) => {
      const site = resolveSite(table, host);
      const icon = site === undefined ? 0 : await findFavicon(reader, site.siteId);
      return icon === 0 ? nothingThere : answer(icon);
    });
  };
}
