import { type KeyboardEvent, useRef, useState } from 'react';
import { failureText, fieldFaults } from '../../../api/failure-text.ts';
import { t } from '../../../base/i18n/index.ts';
import type { CollectionField } from '../../../content/collections.ts';
import classes from './cell-editor.module.css';
import { type CellText, cellInput, textOfCell, valueOfCell } from './cell-input.ts';

/** What follows a saved cell: stay on it, or edit the cell before or after it. */
export type CellStep = 'stay' | 'next' | 'previous';

export interface CellEditorProps {
  readonly field: CollectionField;
  readonly value: unknown;
  /** Name of the entry. */
  readonly title: string;
  /** Stores the value; rejects with what the server refuses. */
  save(value: unknown): Promise<void>;
  /** @param step undefined if the focus has gone elsewhere */
  onDone(step: CellStep | undefined): void;
}

/**
 * A cell of the table as an input. Enter saves, Tab saves and goes on, Escape leaves the value as it was. What is
 * refused stays in the input with the reason below it.
 */
export function CellEditor({ field, value, title, save, onDone }: CellEditorProps) {
  const before = textOfCell(field, value);
  const [typed, setTyped] = useState<CellText>(before);
  const [error, setError] = useState<string>();
  // A save that runs, and one that has been done with, ends the input once only.
  const isEnding = useRef(false);
  const refused = useRef<CellText>(undefined);

  const end = async (step: CellStep | undefined) => {
    if (isEnding.current || (step === undefined && refused.current === typed)) return;
    isEnding.current = true;
    try {
      if (typed !== before) await save(valueOfCell(field, typed));
      onDone(step);
    } catch (failure) {
      isEnding.current = false;
      refused.current = typed;
      setError(fieldFaults(failure)[field.name] ?? failureText(failure));
    }
  };
  const press = (event: KeyboardEvent) => {
    // The arrows of an input are its own.
    event.stopPropagation();
    if (event.key === 'Escape') {
      isEnding.current = true;
      onDone('stay');
    } else if (event.key === 'Enter') void end('stay');
    else if (event.key === 'Tab') {
      event.preventDefault();
      void end(event.shiftKey ? 'previous' : 'next');
    }
  };
  const input = cellInput(field);
  const shared = {
    className: classes['input'],
    'aria-label': t('entries.cellOf', { field: field.label, title }),
    'aria-invalid': error !== undefined,
    value: typed,
    autoFocus: true,
    onBlur: () => void end(undefined),
    onKeyDown: press,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setTyped(event.currentTarget.value),
  };
  return (
    <>
      {input.kind === 'choice' ? (
        <select {...shared}>
          {input.choices.map((choice) => (
            <option key={choice} value={choice}>
              {field.type === 'boolean' ? t(choice === 'true' ? 'entries.yes' : 'entries.no') : choice}
            </option>
          ))}
        </select>
      ) : (
        <input {...shared} type={input.type} onFocus={(event) => event.currentTarget.select()} />
      )}
      {error !== undefined && (
        <span role="alert" className={classes['error']}>
          {error}
        </span>
      )}
    </>
  );
}
