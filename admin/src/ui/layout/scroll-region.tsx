import type { ReactNode } from 'react';

export interface ScrollRegionProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A named part that scrolls, also by keys where nothing in it takes the focus. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, keys could not scroll it
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
