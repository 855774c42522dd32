/** What the clipboard holds, read while its event lasts. */
export interface Copied {
  readonly text: string;
  /** Empty if there is none. */
  readonly html: string;
}

/** Whether a text has more than one cell. */
export function hasSeveralCells({ text }: Pick<Copied, 'text'>): boolean {
  return /[\t\n]/.test(text.trimEnd());
}

/** Text and table of a clipboard event; undefined if it has neither. */
export function copiedIn({ clipboardData }: Pick<ClipboardEvent, 'clipboardData'>): Copied | undefined {
  const text = clipboardData?.getData('text/plain') ?? '';
  const html = clipboardData?.getData('text/html') ?? '';
  return text.trim() === '' ? undefined : { text, html };
}

/** Where cells are pasted, and what. */
export interface PasteStart {
  /** Undefined: they are still asked for. */
  readonly copied: Copied | undefined;
  /** The row of the first cell; undefined: all rows are new entries. */
  readonly first: { readonly index: number; readonly id: number } | undefined;
  /** Name of the column of the first cell; undefined: the first column. */
  readonly column: string | undefined;
}
