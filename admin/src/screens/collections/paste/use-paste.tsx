import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { Command } from '../../../commands/command.ts';
import type { Collection, CollectionField } from '../../../content/collections.ts';
import { styled } from '../../../ui/theme/styled.ts';
import { copiedIn, hasSeveralCells, type PasteStart } from './copied.ts';

const PasteDialog = lazy(() =>
  styled(async () => ({ default: (await import('./paste-dialog.tsx')).PasteDialog })),
);

export interface Paste {
  readonly command: Command;
  readonly dialog: ReactNode;
}

/**
 * Pasting cells of a spreadsheet into the table of entries: from the cell that has the focus, else as new entries.
 *
 * @param query query of the list
 */
export function usePaste(collection: Collection, columns: readonly CollectionField[], query: string): Paste {
  const [start, setStart] = useState<PasteStart>();
  const isOpen = useRef(false);
  isOpen.current = start !== undefined;
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const place = isOpen.current ? undefined : placeOf(event.target);
      const copied = copiedIn(event);
      if (place === undefined || copied === undefined) return;
      // One cell belongs into the input that has the focus.
      if (place.isInput && !hasSeveralCells(copied)) return;
      event.preventDefault();
      setStart({ ...place, copied });
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
  return {
    command: {
      id: 'entries.paste',
      label: 'entries.paste.command',
      icon: 'clipboard-text',
      run: () => setStart({ copied: undefined, first: undefined, column: undefined }),
    },
    dialog: start !== undefined && (
      <Suspense>
        <PasteDialog
          collection={collection}
          columns={columns}
          query={query}
          start={start}
          onClose={() => setStart(undefined)}
        />
      </Suspense>
    ),
  };
}

type Place = Pick<PasteStart, 'first' | 'column'> & { readonly isInput: boolean };

/** The cell of the table that has the focus; undefined if the focus is on something else that takes texts. */
function placeOf(target: EventTarget | null): Place | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const isInput = target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]');
  const row = target.closest<HTMLElement>('[data-entry]');
  if (row === null) {
    const isNowhere = !isInput && target.closest('dialog, [role=dialog], [contenteditable]') === null;
    return isNowhere ? { first: undefined, column: undefined, isInput } : undefined;
  }
  const index = Number(row.closest<HTMLElement>('[data-index]')?.dataset['index']);
  const column = target.closest<HTMLElement>('[data-column]')?.dataset['column'];
  return { first: { index, id: Number(row.dataset['entry']) }, column, isInput };
}
