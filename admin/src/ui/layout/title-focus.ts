import { type RefCallback, useCallback, useEffect, useRef } from 'react';
import { history } from '../../base/router/history.ts';

/** Whether another screen is shown since something had the focus that is still there. */
let isWanted = false;
/** The title that has the focus because nothing else had it. */
let focused: Element | undefined;

let path = history.location.pathname;
history.subscribe(({ location: { pathname } }) => {
  if (pathname !== path) isWanted = true;
  path = pathname;
});

document.addEventListener('focusin', ({ target }) => {
  if (target !== focused) isWanted = false;
});

/**
 * Gives a title the focus if it went away with the last screen, or with the dialog that has led here. Otherwise keys
 * would begin at the top of the page.
 *
 * @returns for `ref` of the title, which needs a `tabIndex`
 */
export function useTitleFocus(title: string): RefCallback<HTMLElement> {
  const shown = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is of another screen
  useEffect(() => {
    const active = document.activeElement;
    if (!isWanted || shown.current === null) return;
    // The title of a panel wins over that of its screen.
    if (active !== null && active !== document.body && active !== focused) return;
    focused = shown.current;
    shown.current.focus({ preventScroll: true });
  }, [title]);
  return useCallback((element) => {
    shown.current = element;
  }, []);
}
