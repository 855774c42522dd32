import type { KeyboardEvent } from 'react';

/** Leaves undo to a text control, in an editor that has a history of its own. Handler of `keydown`. */
export function keepUndo(event: KeyboardEvent): void {
  const isUndo = (event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key);
  if (isUndo) event.stopPropagation();
}
