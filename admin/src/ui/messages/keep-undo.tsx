import type { KeyboardEvent, ReactNode } from 'react';

export interface KeepUndoProps {
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Leaves undo to the text controls inside it, in an editor that has a history of its own. */
export function KeepUndo({ className, children }: KeepUndoProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nobody acts on it; it stops a key on its way up from the controls
    <div className={className} onKeyDown={stopUndo}>
      {children}
    </div>
  );
}

function stopUndo(event: KeyboardEvent): void {
  const isUndo = (event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key);
  if (isUndo) event.stopPropagation();
}
