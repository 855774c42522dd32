import { useEffect } from 'react';
import { removeChosen } from './actions.ts';
import { copyInEvent, pasteText } from './commands.ts';
import type { BlockEditing } from './editing.ts';

/** Copy, cut and paste of blocks, wherever no text has the focus. */
export function useBlockClipboard(editing: BlockEditing): void {
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      if (isInText() || !copyInEvent(editing, event.clipboardData)) return;
      event.preventDefault();
      if (event.type === 'cut') removeChosen(editing);
    };
    const paste = (event: ClipboardEvent) => {
      if (isInText()) return;
      if (pasteText(editing, event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault();
    };
    document.addEventListener('copy', copy);
    document.addEventListener('cut', copy);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('copy', copy);
      document.removeEventListener('cut', copy);
      document.removeEventListener('paste', paste);
    };
  }, [editing]);
}

function isInText(): boolean {
  const active = document.activeElement;
  const isText = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement;
  return isText || (active instanceof HTMLElement && active.isContentEditable);
}
