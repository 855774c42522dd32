import type { FolderFinding } from '../format/content.ts';
import type { ExitCode } from './model.ts';

/** The end of a command before its work, with what a person is told. */
export class CommandEnd extends Error {
  readonly exitCode: ExitCode;
  readonly findings: readonly FolderFinding[];

  constructor(exitCode: ExitCode, message: string, findings: readonly FolderFinding[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.findings = findings;
  }
}
