/** Shows on a terminal how far long work is; elsewhere it shows nothing. */
import type { SyncProgress } from '../features/folders/sync/model.ts';

const steps: Readonly<Record<SyncProgress['step'], string>> = {
  read: 'reading the folder',
  fetch: 'reading the server',
  upload: 'sending files',
  send: 'sending changes',
  publish: 'publishing',
  write: 'writing files',
};

export interface ProgressLine {
  show(progress: SyncProgress): void;
  /** Clears the line. */
  end(): void;
}

export function showProgress(stream: NodeJS.WriteStream): ProgressLine {
  let isShown = false;
  const clear = () => {
    if (isShown) stream.write('\r\u001b[2K');
    isShown = false;
  };
  return {
    show({ step, done, total }) {
      if (!stream.isTTY) return;
      clear();
      stream.write(`${steps[step]} ${total > 0 ? `${done}/${total}` : ''}`);
      isShown = true;
    },
    end: clear,
  };
}
