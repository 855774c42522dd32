import type { RowText } from '../../../base/i18n/row-text.ts';
import type { CollectionField } from '../../../content/collections.ts';
import classes from './cell-editor.module.css';
import { CellEditor, type CellStep } from './cell-editor.tsx';
import { isCellEditable } from './cell-input.ts';
import { CellValue } from './cell-value.tsx';

export interface EntryCellProps {
  readonly field: CollectionField;
  readonly text: RowText;
  readonly value: unknown;
  /** Name of the entry. */
  readonly title: string;
  readonly isEditing: boolean;
  onEdit(): void;
  save(value: unknown): Promise<void>;
  onDone(step: CellStep | undefined): void;
}

/** A value of the table. Enter, F2 or a click edits it; arrows lead to it from the name of the entry. */
export function EntryCell(props: EntryCellProps) {
  const { field, text, value, title, isEditing, onEdit, save, onDone } = props;
  if (!isCellEditable(field)) return <CellValue field={field} value={value} />;
  if (isEditing) return <CellEditor field={field} value={value} title={title} save={save} onDone={onDone} />;
  return (
    <button
      type="button"
      tabIndex={-1}
      data-field={field.name}
      className={classes['cell']}
      onClick={onEdit}
      onKeyDown={(event) => {
        if (event.key !== 'F2') return;
        event.preventDefault();
        onEdit();
      }}
    >
      <CellValue field={field} value={value} />
      <span className="visually-hidden">{text('entries.editCell', { field: field.label, title })}</span>
    </button>
  );
}
