import { isHost, resolveSite, siteTable } from '../../../runtime/content/site-host.ts';
import { Followed, type Follower } from '../../changes/followers.ts';
import { findFavicon, listDomains } from '../../content/sites/service.ts';
import type { SharedServices } from '../../feature.ts';
import { nothingThere } from '../../http/plain-answers.ts';
import type { PublicHandler } from '../../http/public-exchange.ts';
import type { MediaDelivery } from './delivery/index.ts';

/** /favicon.ico: the icon of the website of the host, with the icon's own type (Core, "Public non-API routes"). */
export function faviconAddress(
  { reader }: Pick<SharedServices, 'reader'>,
  delivery: MediaDelivery,
): { readonly answer: PublicHandler; readonly follower: Follower } {
  const sites = new Followed(['page'], async () => siteTable(await listDomains(reader)));
  const answer: PublicHandler = async (request) => {
    if (request.path !== '/favicon.ico' || !isHost(request.host)) return nothingThere;
    const { host } = request;
    // Headers are read before the first wait.
    const answerWith = delivery.plan(request);
    const site = resolveSite(await sites.get(), host);
    const icon = site === undefined ? 0 : await findFavicon(reader, site.siteId);
    return icon === 0 ? nothingThere : answerWith(icon);
  };
  return { answer, follower: sites };
}
