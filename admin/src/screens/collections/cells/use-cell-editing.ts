import { useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { Collection, CollectionField } from '../../../content/collections.ts';
import { type Entry, updateEntry } from '../../../content/entries.ts';
import { showToast } from '../../../ui/messages/toasts.ts';
import { showWarnings } from '../entries/entry-warnings.ts';
import type { CellStep } from './cell-editor.tsx';
import { isCellEditable } from './cell-input.ts';

export interface CellEditing {
  /** Name of the field that is edited in this row. */
  readonly field: string | undefined;
  edit(field: string): void;
  save(field: CollectionField, value: unknown): Promise<void>;
  done(field: CollectionField, step: CellStep | undefined): void;
}

/** Editing the cells of a row. @param columns in their order, without the one that is a link */
export function useCellEditing(
  { id: collection }: Collection,
  columns: readonly CollectionField[],
  entry: Entry,
  title: string,
): CellEditing {
  const [name, setName] = useState<string>();
  // A second value of the row may be saved before the list has come anew.
  const updatedAt = useRef(entry.updated_at);
  updatedAt.current = Math.max(updatedAt.current, entry.updated_at);
  // The button of a value is there only when the row has been drawn without its input.
  const focused = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (focused.current === undefined) return;
    const button = `[data-entry="${entry.id}"] [data-field="${focused.current}"]`;
    focused.current = undefined;
    document.querySelector<HTMLElement>(button)?.focus();
  });
  const put = async (field: CollectionField, value: unknown) => {
    const body = { data: { [field.name]: value }, base_updated_at: updatedAt.current };
    const saved = await updateEntry(collection, entry.id, body);
    updatedAt.current = saved.updated_at;
    showWarnings(saved);
  };
  return {
    field: name,
    edit: setName,
    async save(field, value) {
      const before = entry.data[field.name] ?? null;
      await put(field, value);
      showToast({
        tone: 'done',
        message: t('entries.cellSaved', { field: field.label, title }),
        undo: () => put(field, before),
      });
    },
    done(field, step) {
      const editable = columns.filter(isCellEditable);
      const at = editable.findIndex((column) => column.name === field.name);
      const next = step === 'next' ? editable[at + 1] : step === 'previous' ? editable[at - 1] : undefined;
      setName(next?.name);
      if (step !== undefined && next === undefined) focused.current = field.name;
    },
  };
}
