import type { ExitCode } from '../features/folders/sync/model.ts';
import type { ProgramArguments } from './arguments.ts';
import type { CommandOutcome } from './output.ts';

/** A command: what it did, or an exit code if it has printed all by itself. */
export type ProgramCommand = (given: ProgramArguments) => Promise<CommandResult | ExitCode>;
export type CommandResult = CommandOutcome & { readonly exitCode: ExitCode };
