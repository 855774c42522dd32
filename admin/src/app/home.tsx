import { useEffect } from 'react';
import { useCurrentSite } from '../frame/current-site.ts';
import { goTo, history } from './history.ts';
import { base, paths } from './paths.ts';

/** The first screen after login: the pages of the website used last. */
export function Home() {
  const site = useCurrentSite();
  useEffect(() => {
    // While the next screen loads, the address is its own already.
    const isStill = history.location.pathname.replace(/\/$/, '') === base;
    if (site !== undefined && isStill) goTo(paths.pages(site), { replace: true });
  }, [site]);
  return null;
}
