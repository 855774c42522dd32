import { hostName } from '../../../runtime/content/site-host.ts';
import { apiError, invalid } from '../../base/errors.ts';
import { listSites } from '../../content/sites/service.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Origin } from '../../http/origin.ts';
import { signInSettings } from './settings.ts';

/**
 * The origin of this instance for links that leave it and for passkeys: `public_url` of /system. Without it the
 * origin of the request counts only if its host is a domain of a website or loopback, because anyone can invent hosts.
 *
 * @param asked host and scheme of the request
 * @throws ApiError 400 `auth.publicUrlMissing`
 */
export async function requirePublicOrigin(db: ContentDb, asked: Origin): Promise<URL> {
  const { public_url: publicUrl } = await signInSettings.read(db);
  if (publicUrl !== '') return new URL(publicUrl);
  const own = `${asked.scheme}://${asked.host}`;
  if (URL.canParse(own) && (await isOwnHost(db, hostName(asked.host)))) return new URL(own);
  throw apiError('auth.publicUrlMissing', {});
}

/**
 * The origin of a URL that `public_url` may hold; empty stays empty.
 *
 * @throws ApiError `common.invalid` for `public_url`
 */
export function parsePublicUrl(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const url = /^https?:\/\//i.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  const isOrigin = url !== undefined && url.href === `${url.origin}/`;
  if (!isOrigin)
    throw invalid('public_url', 'must be an address without a path, such as https://cms.example.org');
  return url.origin;
}

async function isOwnHost(db: ContentDb, host: string): Promise<boolean> {
  if (isLoopbackHost(host)) return true;
  const sites = await listSites(db);
  return sites.some(({ domains }) => domains.includes(host));
}

/** Whether a host without port names the machine itself. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|[\w.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);
}
