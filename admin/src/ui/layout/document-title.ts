import { useEffect } from 'react';

interface TitlePart {
  readonly text: string;
  readonly isTab: boolean;
}

/** What is on the screen, in the order in which it appeared. */
const shown: TitlePart[] = [];

/** Names the tab of the browser after what is shown: the open tabs of a screen, then the screen. */
export function useDocumentTitle(text: string, isTab = false): void {
  useEffect(() => {
    if (text === '') return;
    const part = { text, isTab };
    shown.push(part);
    writeTitle();
    return () => {
      shown.splice(shown.indexOf(part), 1);
      // Between two screens there is none; the title of the last one stays until then.
      if (shown.some((each) => !each.isTab)) writeTitle();
    };
  }, [text, isTab]);
}

function writeTitle(): void {
  const tabs = shown.filter(({ isTab }) => isTab).toReversed();
  const screen = shown.findLast(({ isTab }) => !isTab);
  const texts = [...tabs, ...(screen === undefined ? [] : [screen])].map(({ text }) => text);
  document.title = [...texts, 'Incipit'].join(' · ');
}
