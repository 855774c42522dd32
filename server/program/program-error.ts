import type { ExitCode } from '../features/folders/sync/model.ts';

/** Ends a command with an exit code and one line of text. */
export class ProgramError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
