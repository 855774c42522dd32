import { createBrowserHistory } from '@tanstack/react-router';

/** The addresses of this window. Commands use it, because they are not components. */
export const history = createBrowserHistory();

/** Shows another screen. @param path from paths.ts */
export function goTo(path: string, options: { readonly replace?: boolean } = {}): void {
  if (options.replace === true) history.replace(path);
  else history.push(path);
}
