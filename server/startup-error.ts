/**
 * A reason not to start that the operator can act on. `main.ts` prints the message as one line and ends with exit
 * code 1; no stack trace, because nothing is broken in the program.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** By name, because bundled code has a class of its own. */
export function isStartupError(error: unknown): error is StartupError {
  return error instanceof Error && error.name === 'StartupError';
}
