import { useLocalStorage } from '@mantine/hooks';
import type { Command } from '../../commands/command.ts';

export interface PreviewToggle {
  readonly isShown: boolean;
  readonly command: Command;
}

/** Showing and hiding the preview of an editor. @param key under which the choice is kept in this browser */
export function usePreviewToggle(key: string, isShownAtFirst: boolean): PreviewToggle {
  const [isShown, setShown] = useLocalStorage({
    key,
    defaultValue: isShownAtFirst,
    getInitialValueInEffect: false,
  });
  return {
    isShown,
    command: {
      id: 'page.preview',
      label: isShown ? 'preview.hide' : 'preview.show',
      icon: 'eye',
      keys: 'mod+E',
      run: () => setShown(!isShown),
    },
  };
}
