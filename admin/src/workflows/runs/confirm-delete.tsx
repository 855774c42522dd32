import { FormDialog } from '../../ui/form-dialog.tsx';
import { useSending } from '../../ui/sending.ts';

export interface ConfirmDeleteProps {
  readonly title: string;
  /** What is lost, in a sentence. */
  readonly loss: string;
  readonly submit: string;
  run(): Promise<unknown>;
  onClose(): void;
}

/** Names what is lost before it is deleted for good. */
export function ConfirmDelete({ title, loss, submit, run, onClose }: ConfirmDeleteProps) {
  const sending = useSending(async () => {
    await run();
    onClose();
  });
  return (
    <FormDialog title={title} submit={submit} sending={sending} isDangerous onClose={onClose}>
      <p className="line">{loss}</p>
    </FormDialog>
  );
}
