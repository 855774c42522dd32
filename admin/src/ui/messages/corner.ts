/** The corner in which messages and background work stand one above the other. */
import { useEffect } from 'react';

/** What messages stand above. */
export type BelowMessages = 'bulk-bar' | 'trays';

/** Tells the corner how high something in it is. @param height in pixels; 0 if there is nothing */
export function useCornerHeight(name: BelowMessages, height: number): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty(`--${name}`, `${height}px`);
    return () => {
      style.removeProperty(`--${name}`);
    };
  }, [name, height]);
}
