import { useParams } from '@tanstack/react-router';
import { loadPageTree, type PageTreeEntry, usePageTree } from './pages.ts';

const storageKey = 'ic-site';

/** The website of the address, else the one used last, else the first; undefined if there is none. */
export function useCurrentSite(): number | undefined {
  const params: { readonly root?: string } = useParams({ strict: false });
  const { data: pages } = usePageTree();
  const inAddress = Number(params.root);
  if (Number.isInteger(inAddress) && inAddress > 0) return inAddress;
  return chooseSite(pages ?? []);
}

/** The website used last, else the first, once the pages are known; undefined if there is none. */
export async function loadLastSite(): Promise<number | undefined> {
  return chooseSite(await loadPageTree());
}

function chooseSite(pages: readonly PageTreeEntry[]): number | undefined {
  const sites = pages.filter(({ parent_id }) => parent_id === null);
  return (sites.find(({ id }) => id === lastSite()) ?? sites[0])?.id;
}

function lastSite(): number {
  return Number(localStorage.getItem(storageKey));
}

export function noteSite(id: number): void {
  localStorage.setItem(storageKey, String(id));
}
