import type { ExitCode } from '../server/features/folders/sync/model.ts';
import type { Arguments } from './arguments.ts';
import type { Outcome } from './output.ts';

/** A command: what it did, or an exit code if it has printed all by itself. */
export type Command = (given: Arguments) => Promise<CommandResult | ExitCode>;
export type CommandResult = Outcome & { readonly exitCode: ExitCode };
