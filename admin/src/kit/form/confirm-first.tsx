import { FormDialog } from './form-dialog.tsx';
import { useSubmit } from './submit.ts';

export interface ConfirmDialogProps {
  readonly title: string;
  /** What is lost, in a sentence. */
  readonly loss: string;
  readonly submit: string;
  run(): Promise<unknown>;
  onClose(): void;
}

/** Asks before something that has no way back. */
export function ConfirmDialog({ title, loss, submit, run, onClose }: ConfirmDialogProps) {
  const sending = useSubmit(async () => {
    await run();
    onClose();
  });
  return (
    <FormDialog title={title} submit={submit} sending={sending} isDangerous onClose={onClose}>
      <p className="line">{loss}</p>
    </FormDialog>
  );
}
