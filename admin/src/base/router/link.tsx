import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { goTo } from './history.ts';
import { preload } from './preload.ts';

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
}

/** A link to a screen: no page load, and the code of the screen comes already on hover or focus. */
export function Link({ href, onClick, onFocus, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    event.preventDefault();
    goTo(href);
  };
  return (
    <a
      href={href}
      onClick={follow}
      onMouseEnter={() => preload(href)}
      onFocus={(event) => {
        preload(href);
        onFocus?.(event);
      }}
      {...rest}
    />
  );
}
