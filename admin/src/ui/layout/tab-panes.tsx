import { Tabs } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useDocumentTitle } from './document-title.ts';
import classes from './tab-panes.module.css';

export interface TabPane<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly content: ReactNode;
}

export interface TabPanesProps<Name extends string> {
  /** Name of the tabs together, where it does not follow from their place. */
  readonly label?: string;
  /** The tab that is shown. */
  readonly value: Name;
  /** What is false is not offered. */
  readonly tabs: readonly (TabPane<Name> | false)[];
  /** The tabs share the width, in place of a line that scrolls. */
  readonly isGrown?: boolean;
  /** In place of panes that fill the rest of the screen. */
  readonly className?: string | undefined;
  /** In place of a pane whose only child fills it, for other panes. */
  readonly paneClassName?: string | undefined;
  onChange(value: NoInfer<Name>): void;
  readonly onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
}

/** Panes of which one is shown, and above it their tabs. */
export function TabPanes<Name extends string>({
  label,
  value,
  tabs,
  isGrown = false,
  className = classes['tabs'],
  paneClassName = classes['pane'],
  onChange,
  onKeyDown,
}: TabPanesProps<Name>) {
  const offered = tabs.filter((tab) => tab !== false);
  // Tabs that share the width are of a part of the screen.
  useDocumentTitle(isGrown ? '' : (offered.find(({ name }) => name === value)?.label ?? ''), true);
  const show = (name: string | null) => {
    const tab = offered.find((each) => each.name === name);
    if (tab !== undefined) onChange(tab.name);
  };
  const buttons = offered.map((tab) => (
    <Tabs.Tab key={tab.name} value={tab.name}>
      {tab.label}
    </Tabs.Tab>
  ));
  return (
    <Tabs value={value} onChange={show} keepMounted={false} className={className ?? ''}>
      {isGrown ? (
        <Tabs.List grow>{buttons}</Tabs.List>
      ) : (
        <TabBar value={value} label={label} tabs={buttons} />
      )}
      <Tabs.Panel value={value} className={paneClassName ?? ''} onKeyDown={onKeyDown}>
        {offered.find(({ name }) => name === value)?.content}
      </Tabs.Panel>
    </Tabs>
  );
}

interface TabBarProps {
  readonly value: string;
  readonly label: string | undefined;
  readonly tabs: ReactNode;
}

/** The tabs in one line. Where they do not fit they scroll, and the one that is shown is in view. */
function TabBar({ value, label, tabs }: TabBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is shown
  useEffect(() => {
    const list = bar.current?.firstElementChild;
    if (!(list instanceof HTMLElement)) return;
    const show = () => showActive(list);
    const sizes = new ResizeObserver(show);
    for (const part of [list, ...list.children]) sizes.observe(part);
    return () => sizes.disconnect();
  }, [value]);
  return (
    <div ref={bar} className={classes['bar']}>
      <Tabs.List className={classes['list'] ?? ''} aria-label={label}>
        {tabs}
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
