import { countSites, type PageTreeEntry } from './pages.ts';

export type ViewedPage = Pick<PageTreeEntry, 'path' | 'published' | 'root_id'>;

/** The page as visitors see it; a draft is shown to administrators. */
export function openPage(page: ViewedPage): void {
  window.open(publicAddress(page), '_blank', 'noopener');
}

/** Several websites may share the host of the admin; then the address names the website. */
function publicAddress({ path, published, root_id }: ViewedPage): string {
  const query = new URLSearchParams();
  if (!published) query.set('preview', '1');
  if (countSites() > 1) query.set('_site', String(root_id));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The path of what a page shows below its own path, such as an entry. */
export function pathBelow({ path }: Pick<PageTreeEntry, 'path'>, rest: string): string {
  const parts = rest.split('/').map(encodeURIComponent);
  return `${path === '/' ? '' : path}/${parts.join('/')}`;
}
