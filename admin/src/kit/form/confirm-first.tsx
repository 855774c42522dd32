import type { ReactNode } from 'react';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { FormDialog } from './form-dialog.tsx';
import { useSubmit } from './submit.ts';

export interface Confirmation {
  readonly title: string;
  /** What is lost, in a sentence. */
  readonly loss: string;
  readonly submit: string;
  /** What else to know, below. */
  readonly more?: ReactNode;
  run(): Promise<unknown>;
}

/** Asks before something that has no way back. */
export function confirmFirst(options: Confirmation): void {
  openDialog((onClose) => <ConfirmDialog {...options} onClose={onClose} />);
}

function ConfirmDialog({ title, loss, submit, more, run, onClose }: Confirmation & { onClose(): void }) {
  const sending = useSubmit(async () => {
    await run();
    onClose();
  });
  return (
    <FormDialog title={title} submit={submit} sending={sending} isDangerous onClose={onClose}>
      <p className="line">{loss}</p>
      {more}
    </FormDialog>
  );
}
