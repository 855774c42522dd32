import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './tab-bar.module.css';

export interface TabBarProps {
  /** The tab that is shown. */
  readonly value: string | null;
  readonly label?: string;
  readonly children: ReactNode;
}

/** The tabs of a screen in one line. Where they do not fit they scroll, and the one that is shown is in view. */
export function TabBar({ value, label, children }: TabBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = bar.current?.firstElementChild;
    if (value === null || !(list instanceof HTMLElement)) return;
    const show = () => showActive(list);
    const sizes = new ResizeObserver(show);
    for (const part of [list, ...list.children]) sizes.observe(part);
    return () => sizes.disconnect();
  }, [value]);
  return (
    <div ref={bar} className={classes['bar']}>
      <Tabs.List className={classes['list'] ?? ''} aria-label={label}>
        {children}
      </Tabs.List>
    </div>
  );
}

/** Not `scrollIntoView`, which may move what lies around the list too. */
function showActive(list: HTMLElement): void {
  const tab = list.querySelector('[data-active]');
  if (!(tab instanceof HTMLElement)) return;
  // Beside it a part of its neighbour stays in view, which says that there is more.
  const [start, end] = [tab.offsetLeft - 40, tab.offsetLeft + tab.offsetWidth + 40];
  if (start < list.scrollLeft) list.scrollLeft = start;
  else if (end > list.scrollLeft + list.clientWidth) list.scrollLeft = end - list.clientWidth;
}
