import { useEffect } from 'react';
import { useCurrentSite } from '../frame/current-site.ts';
import { goTo } from './history.ts';
import { paths } from './paths.ts';

/** The first screen after login: the pages of the website used last. */
export function Home() {
  const site = useCurrentSite();
  useEffect(() => {
    if (site !== undefined) goTo(paths.pages(site), { replace: true });
  }, [site]);
  return null;
}
